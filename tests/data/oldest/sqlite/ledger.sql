PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS "seaql_migrations" ( "version" varchar NOT NULL PRIMARY KEY, "applied_at" integer NOT NULL );
INSERT INTO seaql_migrations VALUES('m0001_create_ledger',1796014599);
CREATE TABLE accounts (
    account_id TEXT NOT NULL,
    currency TEXT NOT NULL,
    posted_points INTEGER NOT NULL,
    held_points INTEGER NOT NULL,
    line_count INTEGER NOT NULL CHECK (line_count >= 0),
    PRIMARY KEY (account_id, currency),
    CONSTRAINT held_is_never_negative CHECK (held_points >= 0),
    CONSTRAINT held_is_part_of_posted CHECK (posted_points >= held_points)
) STRICT, WITHOUT ROWID;
INSERT INTO accounts VALUES('player_01M8ND01X7FR88JBYZC0GV8GDK','PTS',970,60,5);
INSERT INTO accounts VALUES('player_01M8ND05KKAF7D3TW57R1HFHP1','PTS',1030,30,4);
CREATE TABLE holds (
    hold_id TEXT NOT NULL PRIMARY KEY,
    state TEXT NOT NULL CHECK (state IN ('void', 'open', 'released', 'settled', 'split', 'refunded')),
    account_id TEXT,
    currency TEXT,
    amount_points INTEGER CHECK (amount_points > 0),
    subject TEXT NOT NULL,
    participant_id TEXT NOT NULL,
    ended_by TEXT,
    CONSTRAINT hold_is_whole_or_void CHECK (
        (state = 'void') = (account_id IS NULL) AND (state = 'void') = (currency IS NULL)
        AND (state = 'void') = (amount_points IS NULL)),
    CONSTRAINT hold_ends_in_a_transaction CHECK ((state IN ('void', 'open')) = (ended_by IS NULL)),
    FOREIGN KEY (account_id, currency) REFERENCES accounts (account_id, currency)
) STRICT, WITHOUT ROWID;
INSERT INTO holds VALUES('chal_01M8ND09ZJ0479F49H5NY0PQ5H:hold:acceptor:bot_01M8ND086GJ61CFARZ2TT1B1DC:01M8ND0AT5WGKE745VRX7CNNJY','settled','player_01M8ND05KKAF7D3TW57R1HFHP1','PTS',30,'chal_01M8ND09ZJ0479F49H5NY0PQ5H','bot_01M8ND086GJ61CFARZ2TT1B1DC','txn_01M8ND11M8A9BZ573B0TG4GXRW');
INSERT INTO holds VALUES('chal_01M8ND09ZJ0479F49H5NY0PQ5H:hold:creator','settled','player_01M8ND01X7FR88JBYZC0GV8GDK','PTS',30,'chal_01M8ND09ZJ0479F49H5NY0PQ5H','bot_01M8ND04F3MW89EV0VTDR7W3G8','txn_01M8ND11M8A9BZ573B0TG4GXRW');
INSERT INTO holds VALUES('chal_01M8ND11KM0PQ4PBS6QVSMJ45C:hold:acceptor:bot_01M8ND086GJ61CFARZ2TT1B1DC:01M8ND12QEWNMCPNH7Y1C2PYZ0','open','player_01M8ND05KKAF7D3TW57R1HFHP1','PTS',30,'chal_01M8ND11KM0PQ4PBS6QVSMJ45C','bot_01M8ND086GJ61CFARZ2TT1B1DC',NULL);
INSERT INTO holds VALUES('chal_01M8ND11KM0PQ4PBS6QVSMJ45C:hold:creator','open','player_01M8ND01X7FR88JBYZC0GV8GDK','PTS',30,'chal_01M8ND11KM0PQ4PBS6QVSMJ45C','bot_01M8ND04F3MW89EV0VTDR7W3G8',NULL);
INSERT INTO holds VALUES('chal_01M8ND1M7YT1EE1D1HJK593ZBF:hold:creator','open','player_01M8ND01X7FR88JBYZC0GV8GDK','PTS',30,'chal_01M8ND1M7YT1EE1D1HJK593ZBF','bot_01M8ND04F3MW89EV0VTDR7W3G8',NULL);
CREATE TABLE postings (
    request_id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('grant', 'hold', 'release', 'settle', 'split', 'refund')),
    fingerprint TEXT NOT NULL CHECK (length(fingerprint) = 64),
    answer TEXT NOT NULL,
    transaction_id TEXT,
    ended_set_id TEXT,
    at_ms INTEGER NOT NULL,
    CONSTRAINT a_set_ends_in_a_transaction CHECK (ended_set_id IS NULL OR transaction_id IS NOT NULL)
) STRICT, WITHOUT ROWID;
INSERT INTO postings VALUES('chal_01M8ND09ZJ0479F49H5NY0PQ5H:hold:acceptor:bot_01M8ND086GJ61CFARZ2TT1B1DC:01M8ND0AT5WGKE745VRX7CNNJY','hold','d24b983637e0520f1953c8d7aa3b5ee16872fdf309b3cfc6577a662dbe086ae9','{"Ok":{"held":{"balance":{"currency":"PTS","posted":1000,"held":30},"winnings":30,"transaction":"txn_01M8ND0B2EEZ9GMHJZ8EBKMVBH"}}}','txn_01M8ND0B2EEZ9GMHJZ8EBKMVBH',NULL,1796014615630);
INSERT INTO postings VALUES('chal_01M8ND09ZJ0479F49H5NY0PQ5H:hold:creator','hold','9f260387e665d97f9945f137f0a8d0b50acba4724d6612b56d14d4f23460dccf','{"Ok":{"held":{"balance":{"currency":"PTS","posted":1000,"held":30},"winnings":30,"transaction":"txn_01M8ND0AAH68V87CR5F3R1STVM"}}}','txn_01M8ND0AAH68V87CR5F3R1STVM',NULL,1796014614865);
INSERT INTO postings VALUES('chal_01M8ND11KM0PQ4PBS6QVSMJ45C:hold:acceptor:bot_01M8ND086GJ61CFARZ2TT1B1DC:01M8ND12QEWNMCPNH7Y1C2PYZ0','hold','d7525ef6154d93b515da5a1a502078073b9d65f29f9c50060e81c51478b54c15','{"Ok":{"held":{"balance":{"currency":"PTS","posted":1030,"held":30},"winnings":30,"transaction":"txn_01M8ND135J8C4NQCXETV8HBERF"}}}','txn_01M8ND135J8C4NQCXETV8HBERF',NULL,1796014640306);
INSERT INTO postings VALUES('chal_01M8ND11KM0PQ4PBS6QVSMJ45C:hold:creator','hold','f24d69a0452d891fb0fb6ebf3d6f4232b3cc74b9ec6c247bf2c048a42e8777bf','{"Ok":{"held":{"balance":{"currency":"PTS","posted":970,"held":30},"winnings":30,"transaction":"txn_01M8ND11N54YSE3KJHRD779DTS"}}}','txn_01M8ND11N54YSE3KJHRD779DTS',NULL,1796014638757);
INSERT INTO postings VALUES('chal_01M8ND1M7YT1EE1D1HJK593ZBF:hold:creator','hold','5f30e17559ec0ca930e0da2bd1a0393e96e1be910b1883d2655573ee317178c6','{"Ok":{"held":{"balance":{"currency":"PTS","posted":970,"held":60},"winnings":30,"transaction":"txn_01M8ND1MY7QC37VSCCDWKJRBNN"}}}','txn_01M8ND1MY7QC37VSCCDWKJRBNN',NULL,1796014658503);
INSERT INTO postings VALUES('player_01M8ND01X7FR88JBYZC0GV8GDK:sign-up','grant','88895a29484d517e43dd12f1e009ec67095620ffb17d0b1b4a584a1b2d1afc23','{"Ok":{"granted":{"balance":{"currency":"PTS","posted":1000,"held":0},"transaction":"txn_01M8ND033EJ29DXMV2Y6987E4X"}}}','txn_01M8ND033EJ29DXMV2Y6987E4X',NULL,1796014607470);
INSERT INTO postings VALUES('player_01M8ND05KKAF7D3TW57R1HFHP1:sign-up','grant','895a33fb2059a52b57caaa8e0c43a8c062716af012a88b9b3625b5f41e194b6b','{"Ok":{"granted":{"balance":{"currency":"PTS","posted":1000,"held":0},"transaction":"txn_01M8ND06YTY5542V4EVYPY8B73"}}}','txn_01M8ND06YTY5542V4EVYPY8B73',NULL,1796014611418);
INSERT INTO postings VALUES('set_01M8ND0BEH1VTGTW1KM4DK0M1F:settle','settle','d9b9f9ed91883020f5e43552b006ef86ae22df972acf82440bf4081165b50296','{"Ok":{"settled":{"transaction":"txn_01M8ND11M8A9BZ573B0TG4GXRW","payout":60,"fee":0}}}','txn_01M8ND11M8A9BZ573B0TG4GXRW','set_01M8ND0BEH1VTGTW1KM4DK0M1F',1796014638728);
CREATE TABLE entries (
    transaction_id TEXT NOT NULL,
    leg INTEGER NOT NULL CHECK (leg >= 0),
    from_place TEXT NOT NULL CHECK (from_place IN ('available', 'escrow', 'issuance', 'fee')),
    from_account TEXT,
    to_place TEXT NOT NULL CHECK (to_place IN ('available', 'escrow', 'issuance', 'fee')),
    to_account TEXT,
    currency TEXT NOT NULL,
    amount_points INTEGER NOT NULL CHECK (amount_points > 0),
    PRIMARY KEY (transaction_id, leg),
    CONSTRAINT from_a_player_or_the_platform CHECK ((from_place IN ('available', 'escrow')) = (from_account IS NOT NULL)),
    CONSTRAINT to_a_player_or_the_platform CHECK ((to_place IN ('available', 'escrow')) = (to_account IS NOT NULL)),
    CONSTRAINT not_to_where_it_came_from CHECK (from_place <> to_place OR from_account <> to_account)
) STRICT, WITHOUT ROWID;
INSERT INTO entries VALUES('txn_01M8ND033EJ29DXMV2Y6987E4X',0,'issuance',NULL,'available','player_01M8ND01X7FR88JBYZC0GV8GDK','PTS',1000);
INSERT INTO entries VALUES('txn_01M8ND06YTY5542V4EVYPY8B73',0,'issuance',NULL,'available','player_01M8ND05KKAF7D3TW57R1HFHP1','PTS',1000);
INSERT INTO entries VALUES('txn_01M8ND0AAH68V87CR5F3R1STVM',0,'available','player_01M8ND01X7FR88JBYZC0GV8GDK','escrow','player_01M8ND01X7FR88JBYZC0GV8GDK','PTS',30);
INSERT INTO entries VALUES('txn_01M8ND0B2EEZ9GMHJZ8EBKMVBH',0,'available','player_01M8ND05KKAF7D3TW57R1HFHP1','escrow','player_01M8ND05KKAF7D3TW57R1HFHP1','PTS',30);
INSERT INTO entries VALUES('txn_01M8ND11M8A9BZ573B0TG4GXRW',0,'escrow','player_01M8ND05KKAF7D3TW57R1HFHP1','available','player_01M8ND05KKAF7D3TW57R1HFHP1','PTS',30);
INSERT INTO entries VALUES('txn_01M8ND11M8A9BZ573B0TG4GXRW',1,'escrow','player_01M8ND01X7FR88JBYZC0GV8GDK','available','player_01M8ND05KKAF7D3TW57R1HFHP1','PTS',30);
INSERT INTO entries VALUES('txn_01M8ND11N54YSE3KJHRD779DTS',0,'available','player_01M8ND01X7FR88JBYZC0GV8GDK','escrow','player_01M8ND01X7FR88JBYZC0GV8GDK','PTS',30);
INSERT INTO entries VALUES('txn_01M8ND135J8C4NQCXETV8HBERF',0,'available','player_01M8ND05KKAF7D3TW57R1HFHP1','escrow','player_01M8ND05KKAF7D3TW57R1HFHP1','PTS',30);
INSERT INTO entries VALUES('txn_01M8ND1MY7QC37VSCCDWKJRBNN',0,'available','player_01M8ND01X7FR88JBYZC0GV8GDK','escrow','player_01M8ND01X7FR88JBYZC0GV8GDK','PTS',30);
CREATE TABLE statement_lines (
    account_id TEXT NOT NULL,
    currency TEXT NOT NULL,
    line INTEGER NOT NULL CHECK (line > 0),
    transaction_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('grant', 'hold', 'release', 'win', 'loss', 'split', 'refund')),
    posted_change_points INTEGER NOT NULL,
    held_change_points INTEGER NOT NULL,
    fee_points INTEGER NOT NULL CHECK (fee_points >= 0),
    posted_after_points INTEGER NOT NULL,
    held_after_points INTEGER NOT NULL,
    subject TEXT NOT NULL,
    participant_id TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (account_id, currency, line),
    CONSTRAINT line_held_is_never_negative CHECK (held_after_points >= 0),
    CONSTRAINT line_held_is_part_of_posted CHECK (posted_after_points >= held_after_points),
    FOREIGN KEY (account_id, currency) REFERENCES accounts (account_id, currency)
) STRICT, WITHOUT ROWID;
INSERT INTO statement_lines VALUES('player_01M8ND01X7FR88JBYZC0GV8GDK','PTS',1,'txn_01M8ND033EJ29DXMV2Y6987E4X','grant',1000,0,0,1000,0,'sign-up','',1796014607470);
INSERT INTO statement_lines VALUES('player_01M8ND01X7FR88JBYZC0GV8GDK','PTS',2,'txn_01M8ND0AAH68V87CR5F3R1STVM','hold',0,30,0,1000,30,'chal_01M8ND09ZJ0479F49H5NY0PQ5H','bot_01M8ND04F3MW89EV0VTDR7W3G8',1796014614865);
INSERT INTO statement_lines VALUES('player_01M8ND01X7FR88JBYZC0GV8GDK','PTS',3,'txn_01M8ND11M8A9BZ573B0TG4GXRW','loss',-30,-30,0,970,0,'set_01M8ND0BEH1VTGTW1KM4DK0M1F','bot_01M8ND04F3MW89EV0VTDR7W3G8',1796014638728);
INSERT INTO statement_lines VALUES('player_01M8ND01X7FR88JBYZC0GV8GDK','PTS',4,'txn_01M8ND11N54YSE3KJHRD779DTS','hold',0,30,0,970,30,'chal_01M8ND11KM0PQ4PBS6QVSMJ45C','bot_01M8ND04F3MW89EV0VTDR7W3G8',1796014638757);
INSERT INTO statement_lines VALUES('player_01M8ND01X7FR88JBYZC0GV8GDK','PTS',5,'txn_01M8ND1MY7QC37VSCCDWKJRBNN','hold',0,30,0,970,60,'chal_01M8ND1M7YT1EE1D1HJK593ZBF','bot_01M8ND04F3MW89EV0VTDR7W3G8',1796014658503);
INSERT INTO statement_lines VALUES('player_01M8ND05KKAF7D3TW57R1HFHP1','PTS',1,'txn_01M8ND06YTY5542V4EVYPY8B73','grant',1000,0,0,1000,0,'sign-up','',1796014611418);
INSERT INTO statement_lines VALUES('player_01M8ND05KKAF7D3TW57R1HFHP1','PTS',2,'txn_01M8ND0B2EEZ9GMHJZ8EBKMVBH','hold',0,30,0,1000,30,'chal_01M8ND09ZJ0479F49H5NY0PQ5H','bot_01M8ND086GJ61CFARZ2TT1B1DC',1796014615630);
INSERT INTO statement_lines VALUES('player_01M8ND05KKAF7D3TW57R1HFHP1','PTS',3,'txn_01M8ND11M8A9BZ573B0TG4GXRW','win',30,-30,0,1030,0,'set_01M8ND0BEH1VTGTW1KM4DK0M1F','bot_01M8ND086GJ61CFARZ2TT1B1DC',1796014638728);
INSERT INTO statement_lines VALUES('player_01M8ND05KKAF7D3TW57R1HFHP1','PTS',4,'txn_01M8ND135J8C4NQCXETV8HBERF','hold',0,30,0,1030,30,'chal_01M8ND11KM0PQ4PBS6QVSMJ45C','bot_01M8ND086GJ61CFARZ2TT1B1DC',1796014640306);
CREATE TABLE system_deltas (
    transaction_id TEXT NOT NULL,
    system_account TEXT NOT NULL CHECK (system_account IN ('issuance', 'fee')),
    currency TEXT NOT NULL,
    change_points INTEGER NOT NULL,
    PRIMARY KEY (transaction_id, system_account, currency)
) STRICT, WITHOUT ROWID;
CREATE TABLE system_balances (
    system_account TEXT NOT NULL CHECK (system_account IN ('issuance', 'fee')),
    currency TEXT NOT NULL,
    points INTEGER NOT NULL,
    PRIMARY KEY (system_account, currency),
    CONSTRAINT issuance_only_gives CHECK (system_account <> 'issuance' OR points <= 0),
    CONSTRAINT fees_are_only_taken CHECK (system_account <> 'fee' OR points >= 0)
) STRICT, WITHOUT ROWID;
INSERT INTO system_balances VALUES('issuance','PTS',-2000);
CREATE TABLE audit_marks (
    account_id TEXT NOT NULL,
    currency TEXT NOT NULL,
    line INTEGER NOT NULL,
    posted_points INTEGER NOT NULL,
    held_points INTEGER NOT NULL,
    PRIMARY KEY (account_id, currency)
) STRICT, WITHOUT ROWID;
INSERT INTO audit_marks VALUES('player_01M8ND01X7FR88JBYZC0GV8GDK','PTS',5,970,60);
INSERT INTO audit_marks VALUES('player_01M8ND05KKAF7D3TW57R1HFHP1','PTS',4,1030,30);
CREATE TABLE audit_reports (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    checked_at_ms INTEGER NOT NULL,
    report TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO audit_reports VALUES(1,1796014665614,'{"checked_at_ms":1796014665614,"scope":"recent","violations":[],"totals":{"PTS":{"players_posted_points":2000,"players_held_points":90,"escrowed_points":90,"issued_points":2000,"fees_points":0,"open_holds":3,"accounts":2}}}');
CREATE INDEX open_holds ON holds (account_id, currency) WHERE state = 'open';
CREATE INDEX ended_holds ON holds (ended_by) WHERE ended_by IS NOT NULL;
CREATE UNIQUE INDEX a_set_ends_once ON postings (ended_set_id) WHERE ended_set_id IS NOT NULL;
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'rows of entries are never changed so'); END;
CREATE TRIGGER statement_lines_stay BEFORE UPDATE ON statement_lines BEGIN SELECT RAISE(ABORT, 'rows of statement_lines are never changed so'); END;
CREATE TRIGGER postings_stay BEFORE UPDATE ON postings BEGIN SELECT RAISE(ABORT, 'rows of postings are never changed so'); END;
CREATE TRIGGER entries_stay_all BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'rows of entries are never changed so'); END;
CREATE TRIGGER statement_lines_stay_all BEFORE DELETE ON statement_lines BEGIN SELECT RAISE(ABORT, 'rows of statement_lines are never changed so'); END;
CREATE TRIGGER postings_stay_all BEFORE DELETE ON postings BEGIN SELECT RAISE(ABORT, 'rows of postings are never changed so'); END;
CREATE TRIGGER accounts_stay_all BEFORE DELETE ON accounts BEGIN SELECT RAISE(ABORT, 'rows of accounts are never changed so'); END;
CREATE TRIGGER holds_stay_all BEFORE DELETE ON holds BEGIN SELECT RAISE(ABORT, 'rows of holds are never changed so'); END;
CREATE TRIGGER holds_end_once BEFORE UPDATE ON holds WHEN OLD.state <> 'open' OR NEW.hold_id <> OLD.hold_id OR NEW.account_id <> OLD.account_id
    OR NEW.currency <> OLD.currency OR NEW.amount_points <> OLD.amount_points OR NEW.subject <> OLD.subject
    OR NEW.participant_id <> OLD.participant_id OR NEW.state = 'void' BEGIN SELECT RAISE(ABORT, 'rows of holds are never changed so'); END;
COMMIT;
