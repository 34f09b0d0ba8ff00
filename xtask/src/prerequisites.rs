//! The programs that tests and measurements need beside Rust: finds them, and installs what is missing with apt-get.
//!
//! What is found or missing is one decision ([`plan`]), taken before anything is installed, so that `--dry-run`
//! shows exactly what a run would do. Starting servers is not done here.

use std::{
    ffi::OsStr,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::bail;

use crate::{
    run::{Runner, describe},
    services,
};

/// Oldest PostgreSQL that farside supports.
const POSTGRES_MAJOR_MIN: u32 = 15;
/// Where Debian and its kin keep PostgreSQL's programs, a folder for each major version.
const POSTGRES_FOLDER: &str = "/usr/lib/postgresql";

/// A program that tests or measurements need.
#[derive(Clone, Copy)]
pub(crate) struct Need {
    /// What it is called in messages.
    name: &'static str,
    /// The Debian package that brings it.
    package: &'static str,
    /// A variable that makes it unnecessary when it names a running one.
    instead: Option<&'static str>,
    found: fn() -> bool,
}

const NEEDS: [Need; 6] = [
    Need {
        name: "PostgreSQL 15 or newer",
        package: "postgresql",
        instead: Some(services::POSTGRES_URL),
        found: || postgres_binaries().is_some(),
    },
    Need {
        name: "redis-server",
        package: "redis-server",
        // Needed even where a running one is named: tests of its outage start and kill their own.
        instead: None,
        found: || find("redis-server").is_some(),
    },
    Need {
        name: "prometheus and promtool",
        package: "prometheus",
        instead: None,
        found: || find("prometheus").is_some() && find("promtool").is_some(),
    },
    Need { name: "python3", package: "python3", instead: None, found: || find("python3").is_some() },
    Need {
        name: "Python's venv and pip",
        package: "python3-venv",
        instead: None,
        // Debian packs the module that puts pip into an environment apart from the rest.
        found: || succeeds("python3", &["-c", "import ensurepip, venv"]),
    },
    Need { name: "Node.js", package: "nodejs", instead: None, found: || find("node").is_some() },
];

/// For measurements against plain SQL.
pub(crate) const PGBENCH: Need = Need {
    name: "pgbench",
    package: "postgresql-contrib",
    instead: None,
    found: || {
        find("pgbench").is_some() || postgres_binaries().is_some_and(|folder| is_executable(&folder.join("pgbench")))
    },
};

/// For measurements beside a program of npm's registry.
pub(crate) const NPM: Need = Need { name: "npm", package: "npm", instead: None, found: || find("npm").is_some() };

/// For measurements against another program that counts the same game.
pub(crate) const FAIRY_STOCKFISH: Need =
    Need { name: "Fairy-Stockfish", package: "fairy-stockfish", instead: None, found: || fairy_stockfish().is_some() };

/// What is missing and how it would be installed.
pub(crate) struct Plan {
    missing: Vec<Need>,
    installer: Option<Installer>,
}

/// Looks at this machine for what the tests need.
pub(crate) fn plan() -> Plan {
    plan_with(&[])
}

/// Looks at this machine for what the tests need, and for some more.
pub(crate) fn plan_with(more: &[Need]) -> Plan {
    let given = |need: &Need| need.instead.is_some_and(|variable| services::given(variable).is_some());
    let missing = NEEDS.iter().chain(more).filter(|need| !given(need) && !(need.found)()).copied().collect();
    Plan { missing, installer: Installer::of_this_machine() }
}

impl Plan {
    /// What [`Plan::carry_out`] would do, a line each.
    pub(crate) fn lines(&self) -> Vec<String> {
        if self.missing.is_empty() {
            return vec!["nothing to install".to_owned()];
        }
        match &self.installer {
            Some(installer) => installer.commands(&self.packages()).iter().map(describe).collect(),
            None => vec![self.complaint()],
        }
    }

    /// Installs what is missing; does nothing on a machine that has everything.
    pub(crate) fn carry_out(&self, runner: &Runner) -> anyhow::Result<()> {
        if self.missing.is_empty() {
            return Ok(());
        }
        let Some(installer) = &self.installer else {
            bail!(self.complaint());
        };
        for mut command in installer.commands(&self.packages()) {
            println!("xtask: {}", describe(&command));
            if let Err(error) = runner.run(&mut command) {
                return Err(error.context(self.complaint()));
            }
        }
        let still: Vec<&str> = self.missing.iter().filter(|need| !(need.found)()).map(|need| need.name).collect();
        if !still.is_empty() {
            bail!("installed, and still not found: {}", still.join(", "));
        }
        Ok(())
    }

    fn packages(&self) -> Vec<&'static str> {
        self.missing.iter().map(|need| need.package).collect()
    }

    /// Says what a person can do.
    fn complaint(&self) -> String {
        let wants = self.missing.iter().map(|need| match need.instead {
            Some(variable) => format!("{} (or set {variable} to a running one)", need.name),
            None => need.name.to_owned(),
        });
        let wants = wants.collect::<Vec<_>>().join(", ");
        format!("this needs {wants}; installing it takes apt-get, and root or sudo without a password")
    }
}

/// apt-get, as root or through sudo.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Installer {
    Root,
    Sudo,
}

impl Installer {
    fn of_this_machine() -> Option<Self> {
        find("apt-get")?;
        if rustix::process::geteuid().is_root() {
            return Some(Self::Root);
        }
        find("sudo").map(|_| Self::Sudo)
    }

    fn commands(self, packages: &[&str]) -> [Command; 2] {
        let mut install = self.apt_get(&["install", "--yes", "--no-install-recommends"]);
        install.args(packages);
        [self.apt_get(&["update"]), install]
    }

    fn apt_get(self, arguments: &[&str]) -> Command {
        let mut command = match self {
            Self::Root => Command::new("env"),
            Self::Sudo => {
                let mut sudo = Command::new("sudo");
                // Never asks for a password: there may be nobody to answer.
                sudo.args(["--non-interactive", "env"]);
                sudo
            }
        };
        // With run level 1 the packages start no service of their own: tests start private ones.
        command.args(["DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1", "apt-get", "--quiet"]).args(arguments);
        command
    }
}

/// Whether a program is there and ends well.
fn succeeds(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

/// Fairy-Stockfish, which Debian keeps where the search path of root does not lead.
pub(crate) fn fairy_stockfish() -> Option<PathBuf> {
    let usual = PathBuf::from("/usr/games/fairy-stockfish");
    find("fairy-stockfish").or_else(|| is_executable(&usual).then_some(usual))
}

/// A program on the search path.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    find_in(&std::env::var_os("PATH")?, program)
}

fn find_in(path: &OsStr, program: &str) -> Option<PathBuf> {
    std::env::split_paths(path).map(|folder| folder.join(program)).find(|file| is_executable(file))
}

fn is_executable(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// The folder with `initdb`, `postgres` and `pg_isready` of the newest PostgreSQL that will do.
pub(crate) fn postgres_binaries() -> Option<PathBuf> {
    newest_postgres(Path::new(POSTGRES_FOLDER)).or_else(postgres_on_path)
}

fn newest_postgres(folder: &Path) -> Option<PathBuf> {
    let majors = fs::read_dir(folder).ok()?.flatten().filter_map(|entry| {
        let major: u32 = entry.file_name().to_str()?.parse().ok()?;
        let binaries = entry.path().join("bin");
        let usable = major >= POSTGRES_MAJOR_MIN && is_executable(&binaries.join("postgres"));
        usable.then_some((major, binaries))
    });
    majors.max().map(|(_, binaries)| binaries)
}

/// For systems that put PostgreSQL's programs on the search path.
fn postgres_on_path() -> Option<PathBuf> {
    let program = find("postgres")?;
    find("initdb")?;
    let answer = Command::new(&program).arg("--version").output().ok()?;
    let major = postgres_major(&String::from_utf8_lossy(&answer.stdout))?;
    (major >= POSTGRES_MAJOR_MIN).then(|| program.parent().map(Path::to_path_buf))?
}

/// Reads `postgres (PostgreSQL) 16.4 (Debian …)`.
fn postgres_major(version: &str) -> Option<u32> {
    let number = version.split_whitespace().nth(2)?;
    number.split(['.', 'd', 'b', 'r']).next()?.parse().ok()
}

/// A command that the kernel ends when this process dies without a chance to, where the system can do that.
pub(crate) fn bound_to_parent(program: &Path) -> Command {
    match find("setpriv") {
        Some(setpriv) => {
            let mut command = Command::new(setpriv);
            command.args(["--pdeathsig", "INT"]).arg(program);
            command
        }
        None => Command::new(program),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn executable(file: &Path) {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "").unwrap();
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn a_program_is_found_on_the_path_only_if_it_can_be_run() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("readme"), "").unwrap();
        executable(&folder.path().join("tool"));
        let path = folder.path().as_os_str();
        assert_eq!(find_in(path, "tool"), Some(folder.path().join("tool")));
        assert_eq!(find_in(path, "readme"), None);
        assert_eq!(find_in(path, "other"), None);
    }

    #[test]
    fn the_newest_postgres_is_taken_and_an_old_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        executable(&folder.path().join("13/bin/postgres"));
        assert_eq!(newest_postgres(folder.path()), None);
        for major in ["9", "15", "17"] {
            executable(&folder.path().join(major).join("bin/postgres"));
        }
        assert_eq!(newest_postgres(folder.path()), Some(folder.path().join("17/bin")));
    }

    #[test]
    fn the_major_version_is_read_from_what_postgres_prints() {
        assert_eq!(postgres_major("postgres (PostgreSQL) 16.4 (Debian 16.4-1)\n"), Some(16));
        assert_eq!(postgres_major("postgres (PostgreSQL) 18beta1\n"), Some(18));
        assert_eq!(postgres_major("something else"), None);
    }

    #[test]
    fn missing_programs_are_installed_with_apt_get_without_questions() {
        let plan = Plan { missing: NEEDS[..2].to_vec(), installer: Some(Installer::Sudo) };
        let prefix = "sudo --non-interactive env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get --quiet";
        let install = format!("{prefix} install --yes --no-install-recommends postgresql redis-server");
        assert_eq!(plan.lines(), [format!("{prefix} update"), install]);
    }

    #[test]
    fn without_apt_get_the_message_names_what_is_missing_and_the_way_round() {
        let plan = Plan { missing: NEEDS[..1].to_vec(), installer: None };
        let error = plan.carry_out(&Runner::new().unwrap()).unwrap_err().to_string();
        assert!(error.contains("PostgreSQL 15 or newer (or set FARSIDE_TEST_POSTGRES_URL"), "{error}");
    }
}
