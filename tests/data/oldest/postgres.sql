--
-- PostgreSQL database dump
--


-- Dumped from database version 15.20 (Debian 15.20-0+deb12u1)
-- Dumped by pg_dump version 15.20 (Debian 15.20-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: gateway; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA gateway;


--
-- Name: ledger; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA ledger;


--
-- Name: match_svc; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA match_svc;


--
-- Name: rating; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA rating;


--
-- Name: refuse_change(); Type: FUNCTION; Schema: ledger; Owner: -
--

CREATE FUNCTION ledger.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
            RAISE EXCEPTION 'rows of % are never changed so', TG_TABLE_NAME USING ERRCODE = 'check_violation';
        END $$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: bots; Type: TABLE; Schema: gateway; Owner: -
--

CREATE TABLE gateway.bots (
    id text NOT NULL,
    owner_id text NOT NULL,
    owner_name text NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    max_stake_points bigint NOT NULL,
    accepts_json text NOT NULL,
    created_at_ms bigint NOT NULL
);


--
-- Name: keys; Type: TABLE; Schema: gateway; Owner: -
--

CREATE TABLE gateway.keys (
    id text NOT NULL,
    public text NOT NULL,
    hash_hex text NOT NULL,
    holder_id text NOT NULL,
    created_at_ms bigint NOT NULL,
    expires_at_ms bigint,
    revoked_at_ms bigint
);


--
-- Name: migration_lock; Type: TABLE; Schema: gateway; Owner: -
--

CREATE TABLE gateway.migration_lock (
    id integer NOT NULL
);


--
-- Name: names; Type: TABLE; Schema: gateway; Owner: -
--

CREATE TABLE gateway.names (
    folded text NOT NULL,
    holder_id text NOT NULL
);


--
-- Name: players; Type: TABLE; Schema: gateway; Owner: -
--

CREATE TABLE gateway.players (
    id text NOT NULL,
    name text NOT NULL,
    created_at_ms bigint NOT NULL,
    granted_at_ms bigint
);


--
-- Name: replays; Type: TABLE; Schema: gateway; Owner: -
--

CREATE TABLE gateway.replays (
    actor_id text NOT NULL,
    request_id text NOT NULL,
    content_hash text NOT NULL,
    made_id text NOT NULL,
    created_at_ms bigint NOT NULL
);


--
-- Name: seaql_migrations; Type: TABLE; Schema: gateway; Owner: -
--

CREATE TABLE gateway.seaql_migrations (
    version character varying NOT NULL,
    applied_at bigint NOT NULL
);


--
-- Name: accounts; Type: TABLE; Schema: ledger; Owner: -
--

CREATE TABLE ledger.accounts (
    account_id text NOT NULL,
    currency text NOT NULL,
    posted_points bigint NOT NULL,
    held_points bigint NOT NULL,
    line_count bigint NOT NULL,
    CONSTRAINT accounts_line_count_check CHECK ((line_count >= 0)),
    CONSTRAINT held_is_never_negative CHECK ((held_points >= 0)),
    CONSTRAINT held_is_part_of_posted CHECK ((posted_points >= held_points))
)
WITH (fillfactor='70');


--
-- Name: audit_marks; Type: TABLE; Schema: ledger; Owner: -
--

CREATE TABLE ledger.audit_marks (
    account_id text NOT NULL,
    currency text NOT NULL,
    line bigint NOT NULL,
    posted_points bigint NOT NULL,
    held_points bigint NOT NULL
)
WITH (fillfactor='70');


--
-- Name: audit_reports; Type: TABLE; Schema: ledger; Owner: -
--

CREATE TABLE ledger.audit_reports (
    id bigint NOT NULL,
    checked_at_ms bigint NOT NULL,
    report text NOT NULL,
    CONSTRAINT audit_reports_id_check CHECK ((id = 1))
)
WITH (fillfactor='70');


--
-- Name: entries; Type: TABLE; Schema: ledger; Owner: -
--

CREATE TABLE ledger.entries (
    transaction_id text NOT NULL,
    leg bigint NOT NULL,
    from_place text NOT NULL,
    from_account text,
    to_place text NOT NULL,
    to_account text,
    currency text NOT NULL,
    amount_points bigint NOT NULL,
    CONSTRAINT entries_amount_points_check CHECK ((amount_points > 0)),
    CONSTRAINT entries_from_place_check CHECK ((from_place = ANY (ARRAY['available'::text, 'escrow'::text, 'issuance'::text, 'fee'::text]))),
    CONSTRAINT entries_leg_check CHECK ((leg >= 0)),
    CONSTRAINT entries_to_place_check CHECK ((to_place = ANY (ARRAY['available'::text, 'escrow'::text, 'issuance'::text, 'fee'::text]))),
    CONSTRAINT from_a_player_or_the_platform CHECK (((from_place = ANY (ARRAY['available'::text, 'escrow'::text])) = (from_account IS NOT NULL))),
    CONSTRAINT not_to_where_it_came_from CHECK (((from_place <> to_place) OR (from_account <> to_account))),
    CONSTRAINT to_a_player_or_the_platform CHECK (((to_place = ANY (ARRAY['available'::text, 'escrow'::text])) = (to_account IS NOT NULL)))
);


--
-- Name: holds; Type: TABLE; Schema: ledger; Owner: -
--

CREATE TABLE ledger.holds (
    hold_id text NOT NULL,
    state text NOT NULL,
    account_id text,
    currency text,
    amount_points bigint,
    subject text NOT NULL,
    participant_id text NOT NULL,
    ended_by text,
    CONSTRAINT hold_ends_in_a_transaction CHECK (((state = ANY (ARRAY['void'::text, 'open'::text])) = (ended_by IS NULL))),
    CONSTRAINT hold_is_whole_or_void CHECK ((((state = 'void'::text) = (account_id IS NULL)) AND ((state = 'void'::text) = (currency IS NULL)) AND ((state = 'void'::text) = (amount_points IS NULL)))),
    CONSTRAINT holds_amount_points_check CHECK ((amount_points > 0)),
    CONSTRAINT holds_state_check CHECK ((state = ANY (ARRAY['void'::text, 'open'::text, 'released'::text, 'settled'::text, 'split'::text, 'refunded'::text])))
)
WITH (fillfactor='70');


--
-- Name: migration_lock; Type: TABLE; Schema: ledger; Owner: -
--

CREATE TABLE ledger.migration_lock (
    id integer NOT NULL
);


--
-- Name: postings; Type: TABLE; Schema: ledger; Owner: -
--

CREATE TABLE ledger.postings (
    request_id text NOT NULL,
    kind text NOT NULL,
    fingerprint text NOT NULL,
    answer text NOT NULL,
    transaction_id text,
    ended_set_id text,
    at_ms bigint NOT NULL,
    CONSTRAINT a_set_ends_in_a_transaction CHECK (((ended_set_id IS NULL) OR (transaction_id IS NOT NULL))),
    CONSTRAINT postings_fingerprint_check CHECK ((length(fingerprint) = 64)),
    CONSTRAINT postings_kind_check CHECK ((kind = ANY (ARRAY['grant'::text, 'hold'::text, 'release'::text, 'settle'::text, 'split'::text, 'refund'::text])))
);


--
-- Name: seaql_migrations; Type: TABLE; Schema: ledger; Owner: -
--

CREATE TABLE ledger.seaql_migrations (
    version character varying NOT NULL,
    applied_at bigint NOT NULL
);


--
-- Name: statement_lines; Type: TABLE; Schema: ledger; Owner: -
--

CREATE TABLE ledger.statement_lines (
    account_id text NOT NULL,
    currency text NOT NULL,
    line bigint NOT NULL,
    transaction_id text NOT NULL,
    kind text NOT NULL,
    posted_change_points bigint NOT NULL,
    held_change_points bigint NOT NULL,
    fee_points bigint NOT NULL,
    posted_after_points bigint NOT NULL,
    held_after_points bigint NOT NULL,
    subject text NOT NULL,
    participant_id text NOT NULL,
    at_ms bigint NOT NULL,
    CONSTRAINT line_held_is_never_negative CHECK ((held_after_points >= 0)),
    CONSTRAINT line_held_is_part_of_posted CHECK ((posted_after_points >= held_after_points)),
    CONSTRAINT statement_lines_fee_points_check CHECK ((fee_points >= 0)),
    CONSTRAINT statement_lines_kind_check CHECK ((kind = ANY (ARRAY['grant'::text, 'hold'::text, 'release'::text, 'win'::text, 'loss'::text, 'split'::text, 'refund'::text]))),
    CONSTRAINT statement_lines_line_check CHECK ((line > 0))
);


--
-- Name: system_balances; Type: TABLE; Schema: ledger; Owner: -
--

CREATE TABLE ledger.system_balances (
    system_account text NOT NULL,
    currency text NOT NULL,
    points bigint NOT NULL,
    CONSTRAINT fees_are_only_taken CHECK (((system_account <> 'fee'::text) OR (points >= 0))),
    CONSTRAINT issuance_only_gives CHECK (((system_account <> 'issuance'::text) OR (points <= 0))),
    CONSTRAINT system_balances_system_account_check CHECK ((system_account = ANY (ARRAY['issuance'::text, 'fee'::text])))
)
WITH (fillfactor='70');


--
-- Name: system_deltas; Type: TABLE; Schema: ledger; Owner: -
--

CREATE TABLE ledger.system_deltas (
    transaction_id text NOT NULL,
    system_account text NOT NULL,
    currency text NOT NULL,
    change_points bigint NOT NULL,
    CONSTRAINT system_deltas_system_account_check CHECK ((system_account = ANY (ARRAY['issuance'::text, 'fee'::text])))
);


--
-- Name: beats; Type: TABLE; Schema: match_svc; Owner: -
--

CREATE TABLE match_svc.beats (
    id text NOT NULL,
    at_ms bigint NOT NULL
);


--
-- Name: challenges; Type: TABLE; Schema: match_svc; Owner: -
--

CREATE TABLE match_svc.challenges (
    id text NOT NULL,
    status bigint NOT NULL,
    kind bigint NOT NULL,
    game text NOT NULL,
    creator_id text NOT NULL,
    opponent_id text,
    acceptor_id text,
    set_id text,
    offer text NOT NULL,
    acceptor text,
    winnings_points bigint NOT NULL,
    expires_at_ms bigint NOT NULL,
    created_at_ms bigint NOT NULL,
    changed_at_ms bigint NOT NULL,
    claim_id text,
    claim_by text,
    claim_at_ms bigint
);


--
-- Name: migration_lock; Type: TABLE; Schema: match_svc; Owner: -
--

CREATE TABLE match_svc.migration_lock (
    id integer NOT NULL
);


--
-- Name: outages; Type: TABLE; Schema: match_svc; Owner: -
--

CREATE TABLE match_svc.outages (
    from_ms bigint NOT NULL,
    to_ms bigint NOT NULL,
    done bigint NOT NULL
);


--
-- Name: outbox; Type: TABLE; Schema: match_svc; Owner: -
--

CREATE TABLE match_svc.outbox (
    errand_key text NOT NULL,
    subject text NOT NULL,
    errand text NOT NULL,
    due_at_ms bigint,
    attempts bigint NOT NULL,
    created_at_ms bigint NOT NULL,
    done_at_ms bigint
);


--
-- Name: participant_sets; Type: TABLE; Schema: match_svc; Owner: -
--

CREATE TABLE match_svc.participant_sets (
    participant_id text NOT NULL,
    set_id text NOT NULL,
    active bigint NOT NULL
);


--
-- Name: participants; Type: TABLE; Schema: match_svc; Owner: -
--

CREATE TABLE match_svc.participants (
    id text NOT NULL,
    touched_ms bigint NOT NULL
);


--
-- Name: pending_moves; Type: TABLE; Schema: match_svc; Owner: -
--

CREATE TABLE match_svc.pending_moves (
    set_id text NOT NULL,
    game bigint NOT NULL,
    ply bigint NOT NULL,
    seat bigint NOT NULL,
    move_json text NOT NULL,
    notation text NOT NULL,
    received_ms bigint NOT NULL
);


--
-- Name: requests; Type: TABLE; Schema: match_svc; Owner: -
--

CREATE TABLE match_svc.requests (
    actor_id text NOT NULL,
    request_id text NOT NULL,
    fingerprint text NOT NULL,
    subject text NOT NULL,
    created_at_ms bigint NOT NULL
);


--
-- Name: seaql_migrations; Type: TABLE; Schema: match_svc; Owner: -
--

CREATE TABLE match_svc.seaql_migrations (
    version character varying NOT NULL,
    applied_at bigint NOT NULL
);


--
-- Name: set_events; Type: TABLE; Schema: match_svc; Owner: -
--

CREATE TABLE match_svc.set_events (
    set_id text NOT NULL,
    seq bigint NOT NULL,
    at_ms bigint NOT NULL,
    payload text NOT NULL
);


--
-- Name: set_states; Type: TABLE; Schema: match_svc; Owner: -
--

CREATE TABLE match_svc.set_states (
    set_id text NOT NULL,
    last_seq bigint NOT NULL,
    due_at_ms bigint,
    house_due bigint NOT NULL,
    pending_rev bigint NOT NULL,
    state text NOT NULL
);


--
-- Name: sets; Type: TABLE; Schema: match_svc; Owner: -
--

CREATE TABLE match_svc.sets (
    id text NOT NULL,
    game text NOT NULL,
    status bigint NOT NULL,
    settlement bigint NOT NULL,
    creator_id text NOT NULL,
    acceptor_id text NOT NULL,
    info text NOT NULL,
    created_at_ms bigint NOT NULL,
    finished_at_ms bigint
);


--
-- Name: signing_keys; Type: TABLE; Schema: match_svc; Owner: -
--

CREATE TABLE match_svc.signing_keys (
    id text NOT NULL,
    secret text NOT NULL,
    created_at_ms bigint NOT NULL
);


--
-- Name: strikes; Type: TABLE; Schema: match_svc; Owner: -
--

CREATE TABLE match_svc.strikes (
    set_id text NOT NULL,
    game bigint NOT NULL,
    participant_id text NOT NULL,
    at_ms bigint NOT NULL
);


--
-- Name: history; Type: TABLE; Schema: rating; Owner: -
--

CREATE TABLE rating.history (
    participant_id text NOT NULL COLLATE pg_catalog."C",
    game text NOT NULL COLLATE pg_catalog."C",
    set_id text NOT NULL COLLATE pg_catalog."C",
    finished_at_ms bigint NOT NULL,
    rating double precision NOT NULL,
    deviation double precision NOT NULL,
    volatility double precision NOT NULL
);


--
-- Name: migration_lock; Type: TABLE; Schema: rating; Owner: -
--

CREATE TABLE rating.migration_lock (
    id integer NOT NULL
);


--
-- Name: practice; Type: TABLE; Schema: rating; Owner: -
--

CREATE TABLE rating.practice (
    player_id text NOT NULL COLLATE pg_catalog."C",
    game text NOT NULL COLLATE pg_catalog."C",
    board text NOT NULL COLLATE pg_catalog."C",
    level text NOT NULL COLLATE pg_catalog."C",
    wins bigint NOT NULL,
    losses bigint NOT NULL,
    current_streak bigint NOT NULL,
    best_streak bigint NOT NULL,
    last_finished_at_ms bigint,
    last_set_id text COLLATE pg_catalog."C",
    CONSTRAINT practice_check CHECK ((best_streak >= current_streak)),
    CONSTRAINT practice_current_streak_check CHECK ((current_streak >= 0)),
    CONSTRAINT practice_losses_check CHECK ((losses >= 0)),
    CONSTRAINT practice_wins_check CHECK ((wins >= 0))
);


--
-- Name: seaql_migrations; Type: TABLE; Schema: rating; Owner: -
--

CREATE TABLE rating.seaql_migrations (
    version character varying NOT NULL,
    applied_at bigint NOT NULL
);


--
-- Name: sets; Type: TABLE; Schema: rating; Owner: -
--

CREATE TABLE rating.sets (
    set_id text NOT NULL COLLATE pg_catalog."C",
    game text NOT NULL COLLATE pg_catalog."C",
    rated boolean NOT NULL,
    finished_at_ms bigint NOT NULL,
    practice_player text COLLATE pg_catalog."C",
    practice_board text COLLATE pg_catalog."C",
    practice_level text COLLATE pg_catalog."C",
    content text NOT NULL COLLATE pg_catalog."C",
    answer text COLLATE pg_catalog."C"
);


--
-- Name: standings; Type: TABLE; Schema: rating; Owner: -
--

CREATE TABLE rating.standings (
    game text NOT NULL COLLATE pg_catalog."C",
    participant_id text NOT NULL COLLATE pg_catalog."C",
    on_board boolean NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    owner_id text NOT NULL COLLATE pg_catalog."C",
    owner_name text NOT NULL COLLATE pg_catalog."C",
    rating double precision NOT NULL,
    deviation double precision NOT NULL,
    volatility double precision NOT NULL,
    wins bigint NOT NULL,
    draws bigint NOT NULL,
    losses bigint NOT NULL,
    won_points bigint NOT NULL,
    lost_points bigint NOT NULL,
    last_finished_at_ms bigint,
    last_set_id text COLLATE pg_catalog."C",
    peaks text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    touched_at_ms bigint NOT NULL,
    CONSTRAINT standings_deviation_check CHECK (((deviation > (0)::double precision) AND (deviation <= (350)::double precision))),
    CONSTRAINT standings_draws_check CHECK ((draws >= 0)),
    CONSTRAINT standings_losses_check CHECK ((losses >= 0)),
    CONSTRAINT standings_lost_points_check CHECK ((lost_points >= 0)),
    CONSTRAINT standings_volatility_check CHECK (((volatility > (0)::double precision) AND (volatility < (1)::double precision))),
    CONSTRAINT standings_wins_check CHECK ((wins >= 0)),
    CONSTRAINT standings_won_points_check CHECK ((won_points >= 0))
);


--
-- Data for Name: bots; Type: TABLE DATA; Schema: gateway; Owner: -
--

INSERT INTO gateway.bots VALUES ('bot_01M8ND2ATBPH6F6SZGSD3S8W4X', 'player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'ada', 'ada-bot', '', 500, '{"games":[],"stake_max_points":null,"rated":null,"humans":null}', 1796014680907);
INSERT INTO gateway.bots VALUES ('bot_01M8ND2B47DEVXC96KFM6V8M96', 'player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'bob', 'bob-bot', '', 500, '{"games":[],"stake_max_points":null,"rated":null,"humans":null}', 1796014681223);


--
-- Data for Name: keys; Type: TABLE DATA; Schema: gateway; Owner: -
--

INSERT INTO gateway.keys VALUES ('key_01M8ND2AFY2EVWNRSA4Z5NXZHJ', '35b30b799398e89f', 'c517dce77f02a622a6e4413d32b9432dc04a777f4030082adda069fabba5be14', 'player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 1796014680574, NULL, NULL);
INSERT INTO gateway.keys VALUES ('key_01M8ND2ATBQTQRANVJZ3REJRRH', '3923575b6d87d36d', '1f7bc9db2c9aec3ab0f9a8e3c3d7482df76b8bb338e793b96cb1e7d36a15d4b8', 'bot_01M8ND2ATBPH6F6SZGSD3S8W4X', 1796014680907, NULL, NULL);
INSERT INTO gateway.keys VALUES ('key_01M8ND2AXZRAHCBVAC1GGCPPJ5', 'cba0708834f9c4ab', '977d7be79e84f156165d08ff65233cc899b280390e2ebc771ac024f1cbebf414', 'player_01M8ND2AXZ662FW1DQYQ6H6MXX', 1796014681023, NULL, NULL);
INSERT INTO gateway.keys VALUES ('key_01M8ND2B47BVWAX37QYHF7VQ13', '8cd168515adaa674', '5997a9c0622413ce0007ce0dccdddfbe33b672e802306f04275b0f29c8ff601a', 'bot_01M8ND2B47DEVXC96KFM6V8M96', 1796014681223, NULL, NULL);


--
-- Data for Name: migration_lock; Type: TABLE DATA; Schema: gateway; Owner: -
--

INSERT INTO gateway.migration_lock VALUES (1);


--
-- Data for Name: names; Type: TABLE DATA; Schema: gateway; Owner: -
--

INSERT INTO gateway.names VALUES ('ada', 'player_01M8ND2AFY13K6ZJKA3BTZ0WCD');
INSERT INTO gateway.names VALUES ('ada-bot', 'bot_01M8ND2ATBPH6F6SZGSD3S8W4X');
INSERT INTO gateway.names VALUES ('bob', 'player_01M8ND2AXZ662FW1DQYQ6H6MXX');
INSERT INTO gateway.names VALUES ('bob-bot', 'bot_01M8ND2B47DEVXC96KFM6V8M96');


--
-- Data for Name: players; Type: TABLE DATA; Schema: gateway; Owner: -
--

INSERT INTO gateway.players VALUES ('player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'ada', 1796014680574, 1796014680818);
INSERT INTO gateway.players VALUES ('player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'bob', 1796014681023, 1796014681159);


--
-- Data for Name: replays; Type: TABLE DATA; Schema: gateway; Owner: -
--

INSERT INTO gateway.replays VALUES ('player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'k434439589175', '89ffa5e2b4bf144e78511eca789133c7f6fcedefd187bac332a7c0ae4fa3c19a', 'bot_01M8ND2ATBPH6F6SZGSD3S8W4X', 1796014680907);
INSERT INTO gateway.replays VALUES ('player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'k54335349840', '8f04aed9446031fa0d7fadc4bfb40d1e4bf247008194e46091771eaf681255ec', 'bot_01M8ND2B47DEVXC96KFM6V8M96', 1796014681223);


--
-- Data for Name: seaql_migrations; Type: TABLE DATA; Schema: gateway; Owner: -
--

INSERT INTO gateway.seaql_migrations VALUES ('m0001_identity', 1796014679);


--
-- Data for Name: accounts; Type: TABLE DATA; Schema: ledger; Owner: -
--

INSERT INTO ledger.accounts VALUES ('player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'PTS', 1030, 30, 4);
INSERT INTO ledger.accounts VALUES ('player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'PTS', 970, 60, 5);


--
-- Data for Name: audit_marks; Type: TABLE DATA; Schema: ledger; Owner: -
--

INSERT INTO ledger.audit_marks VALUES ('player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'PTS', 5, 970, 60);
INSERT INTO ledger.audit_marks VALUES ('player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'PTS', 4, 1030, 30);


--
-- Data for Name: audit_reports; Type: TABLE DATA; Schema: ledger; Owner: -
--

INSERT INTO ledger.audit_reports VALUES (1, 1796014689832, '{"checked_at_ms":1796014689832,"scope":"recent","violations":[],"totals":{"PTS":{"players_posted_points":2000,"players_held_points":90,"escrowed_points":90,"issued_points":2000,"fees_points":0,"open_holds":3,"accounts":2}}}');


--
-- Data for Name: entries; Type: TABLE DATA; Schema: ledger; Owner: -
--

INSERT INTO ledger.entries VALUES ('txn_01M8ND2AME4GR832YJ46BWXW1X', 0, 'issuance', NULL, 'available', 'player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'PTS', 1000);
INSERT INTO ledger.entries VALUES ('txn_01M8ND2B0KAYG156VR4JRMMY7B', 0, 'issuance', NULL, 'available', 'player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'PTS', 1000);
INSERT INTO ledger.entries VALUES ('txn_01M8ND2BEAX7F9MQD31ZSCMKNR', 0, 'available', 'player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'escrow', 'player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'PTS', 30);
INSERT INTO ledger.entries VALUES ('txn_01M8ND2BPT1F67PPMAD7AGSPW2', 0, 'available', 'player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'escrow', 'player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'PTS', 30);
INSERT INTO ledger.entries VALUES ('txn_01M8ND2DSVP9E45X0FD66GSSM9', 0, 'available', 'player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'escrow', 'player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'PTS', 30);
INSERT INTO ledger.entries VALUES ('txn_01M8ND2DX364FC4FQQVN9AYGDZ', 0, 'escrow', 'player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'available', 'player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'PTS', 30);
INSERT INTO ledger.entries VALUES ('txn_01M8ND2DX364FC4FQQVN9AYGDZ', 1, 'escrow', 'player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'available', 'player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'PTS', 30);
INSERT INTO ledger.entries VALUES ('txn_01M8ND2DYQHY0AWSMT7XHK8FMN', 0, 'available', 'player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'escrow', 'player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'PTS', 30);
INSERT INTO ledger.entries VALUES ('txn_01M8ND2F3DDYTW4K1XG587RT7D', 0, 'available', 'player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'escrow', 'player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'PTS', 30);


--
-- Data for Name: holds; Type: TABLE DATA; Schema: ledger; Owner: -
--

INSERT INTO ledger.holds VALUES ('chal_01M8ND2DS9BXECQA7DSVMC5Z5B:hold:creator', 'open', 'player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'PTS', 30, 'chal_01M8ND2DS9BXECQA7DSVMC5Z5B', 'bot_01M8ND2ATBPH6F6SZGSD3S8W4X', NULL);
INSERT INTO ledger.holds VALUES ('chal_01M8ND2BBEQR4TCHPDQ7JV8KBB:hold:acceptor:bot_01M8ND2B47DEVXC96KFM6V8M96:01M8ND2BNP4EYTHFRBJ95QRSM6', 'settled', 'player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'PTS', 30, 'chal_01M8ND2BBEQR4TCHPDQ7JV8KBB', 'bot_01M8ND2B47DEVXC96KFM6V8M96', 'txn_01M8ND2DX364FC4FQQVN9AYGDZ');
INSERT INTO ledger.holds VALUES ('chal_01M8ND2BBEQR4TCHPDQ7JV8KBB:hold:creator', 'settled', 'player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'PTS', 30, 'chal_01M8ND2BBEQR4TCHPDQ7JV8KBB', 'bot_01M8ND2ATBPH6F6SZGSD3S8W4X', 'txn_01M8ND2DX364FC4FQQVN9AYGDZ');
INSERT INTO ledger.holds VALUES ('chal_01M8ND2DS9BXECQA7DSVMC5Z5B:hold:acceptor:bot_01M8ND2B47DEVXC96KFM6V8M96:01M8ND2DW1VQ5YN6XV1J4RC6YA', 'open', 'player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'PTS', 30, 'chal_01M8ND2DS9BXECQA7DSVMC5Z5B', 'bot_01M8ND2B47DEVXC96KFM6V8M96', NULL);
INSERT INTO ledger.holds VALUES ('chal_01M8ND2F230D7ZNR1RKW0THV8K:hold:creator', 'open', 'player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'PTS', 30, 'chal_01M8ND2F230D7ZNR1RKW0THV8K', 'bot_01M8ND2ATBPH6F6SZGSD3S8W4X', NULL);


--
-- Data for Name: migration_lock; Type: TABLE DATA; Schema: ledger; Owner: -
--

INSERT INTO ledger.migration_lock VALUES (1);


--
-- Data for Name: postings; Type: TABLE DATA; Schema: ledger; Owner: -
--

INSERT INTO ledger.postings VALUES ('player_01M8ND2AFY13K6ZJKA3BTZ0WCD:sign-up', 'grant', '70d1ea21766a5151062164ff45c12212067644cfc91abad16075e51605b8a31d', '{"Ok":{"granted":{"balance":{"currency":"PTS","posted":1000,"held":0},"transaction":"txn_01M8ND2AME4GR832YJ46BWXW1X"}}}', 'txn_01M8ND2AME4GR832YJ46BWXW1X', NULL, 1796014680718);
INSERT INTO ledger.postings VALUES ('player_01M8ND2AXZ662FW1DQYQ6H6MXX:sign-up', 'grant', 'bbb7f9c4d7aa5111977b218b33e780873965a54c62531fdfa538b1299c3f7fe1', '{"Ok":{"granted":{"balance":{"currency":"PTS","posted":1000,"held":0},"transaction":"txn_01M8ND2B0KAYG156VR4JRMMY7B"}}}', 'txn_01M8ND2B0KAYG156VR4JRMMY7B', NULL, 1796014681107);
INSERT INTO ledger.postings VALUES ('chal_01M8ND2BBEQR4TCHPDQ7JV8KBB:hold:creator', 'hold', '111cdc8e424af8084da6e85467e41621913a1eb37cde199976a55aafbe1bb648', '{"Ok":{"held":{"balance":{"currency":"PTS","posted":1000,"held":30},"winnings":30,"transaction":"txn_01M8ND2BEAX7F9MQD31ZSCMKNR"}}}', 'txn_01M8ND2BEAX7F9MQD31ZSCMKNR', NULL, 1796014681546);
INSERT INTO ledger.postings VALUES ('chal_01M8ND2BBEQR4TCHPDQ7JV8KBB:hold:acceptor:bot_01M8ND2B47DEVXC96KFM6V8M96:01M8ND2BNP4EYTHFRBJ95QRSM6', 'hold', '7fac80d032d3f7edb35dda9c155d60559368572bf74ba160839e7aeafea66ee5', '{"Ok":{"held":{"balance":{"currency":"PTS","posted":1000,"held":30},"winnings":30,"transaction":"txn_01M8ND2BPT1F67PPMAD7AGSPW2"}}}', 'txn_01M8ND2BPT1F67PPMAD7AGSPW2', NULL, 1796014681818);
INSERT INTO ledger.postings VALUES ('chal_01M8ND2DS9BXECQA7DSVMC5Z5B:hold:creator', 'hold', 'dea44c9e9cec39d25e2941ef837c8c8766a901e2342afb7ed4acfda6c0083113', '{"Ok":{"held":{"balance":{"currency":"PTS","posted":1000,"held":60},"winnings":30,"transaction":"txn_01M8ND2DSVP9E45X0FD66GSSM9"}}}', 'txn_01M8ND2DSVP9E45X0FD66GSSM9', NULL, 1796014683963);
INSERT INTO ledger.postings VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C:settle', 'settle', '11312c6c282c587f03f337df062f62914ca10fe6f7dfafed5cece161198b3223', '{"Ok":{"settled":{"transaction":"txn_01M8ND2DX364FC4FQQVN9AYGDZ","payout":60,"fee":0}}}', 'txn_01M8ND2DX364FC4FQQVN9AYGDZ', 'set_01M8ND2BQM14QSH51ZW6Y0KS2C', 1796014684067);
INSERT INTO ledger.postings VALUES ('chal_01M8ND2DS9BXECQA7DSVMC5Z5B:hold:acceptor:bot_01M8ND2B47DEVXC96KFM6V8M96:01M8ND2DW1VQ5YN6XV1J4RC6YA', 'hold', 'b10012d4fef5eb7493816c93893cc4a6619ff47d15b6c76972ae02a851b92d53', '{"Ok":{"held":{"balance":{"currency":"PTS","posted":1030,"held":30},"winnings":30,"transaction":"txn_01M8ND2DYQHY0AWSMT7XHK8FMN"}}}', 'txn_01M8ND2DYQHY0AWSMT7XHK8FMN', NULL, 1796014684119);
INSERT INTO ledger.postings VALUES ('chal_01M8ND2F230D7ZNR1RKW0THV8K:hold:creator', 'hold', 'f43a249d94f182cfdd4b151a0489331f3c7fafb6dd2bca8c26cc529f6a9703d6', '{"Ok":{"held":{"balance":{"currency":"PTS","posted":970,"held":60},"winnings":30,"transaction":"txn_01M8ND2F3DDYTW4K1XG587RT7D"}}}', 'txn_01M8ND2F3DDYTW4K1XG587RT7D', NULL, 1796014685293);


--
-- Data for Name: seaql_migrations; Type: TABLE DATA; Schema: ledger; Owner: -
--

INSERT INTO ledger.seaql_migrations VALUES ('m0001_create_ledger', 1796014679);


--
-- Data for Name: statement_lines; Type: TABLE DATA; Schema: ledger; Owner: -
--

INSERT INTO ledger.statement_lines VALUES ('player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'PTS', 1, 'txn_01M8ND2AME4GR832YJ46BWXW1X', 'grant', 1000, 0, 0, 1000, 0, 'sign-up', '', 1796014680718);
INSERT INTO ledger.statement_lines VALUES ('player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'PTS', 1, 'txn_01M8ND2B0KAYG156VR4JRMMY7B', 'grant', 1000, 0, 0, 1000, 0, 'sign-up', '', 1796014681107);
INSERT INTO ledger.statement_lines VALUES ('player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'PTS', 2, 'txn_01M8ND2BEAX7F9MQD31ZSCMKNR', 'hold', 0, 30, 0, 1000, 30, 'chal_01M8ND2BBEQR4TCHPDQ7JV8KBB', 'bot_01M8ND2ATBPH6F6SZGSD3S8W4X', 1796014681546);
INSERT INTO ledger.statement_lines VALUES ('player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'PTS', 2, 'txn_01M8ND2BPT1F67PPMAD7AGSPW2', 'hold', 0, 30, 0, 1000, 30, 'chal_01M8ND2BBEQR4TCHPDQ7JV8KBB', 'bot_01M8ND2B47DEVXC96KFM6V8M96', 1796014681818);
INSERT INTO ledger.statement_lines VALUES ('player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'PTS', 3, 'txn_01M8ND2DSVP9E45X0FD66GSSM9', 'hold', 0, 30, 0, 1000, 60, 'chal_01M8ND2DS9BXECQA7DSVMC5Z5B', 'bot_01M8ND2ATBPH6F6SZGSD3S8W4X', 1796014683963);
INSERT INTO ledger.statement_lines VALUES ('player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'PTS', 3, 'txn_01M8ND2DX364FC4FQQVN9AYGDZ', 'win', 30, -30, 0, 1030, 0, 'set_01M8ND2BQM14QSH51ZW6Y0KS2C', 'bot_01M8ND2B47DEVXC96KFM6V8M96', 1796014684067);
INSERT INTO ledger.statement_lines VALUES ('player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'PTS', 4, 'txn_01M8ND2DX364FC4FQQVN9AYGDZ', 'loss', -30, -30, 0, 970, 30, 'set_01M8ND2BQM14QSH51ZW6Y0KS2C', 'bot_01M8ND2ATBPH6F6SZGSD3S8W4X', 1796014684067);
INSERT INTO ledger.statement_lines VALUES ('player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'PTS', 4, 'txn_01M8ND2DYQHY0AWSMT7XHK8FMN', 'hold', 0, 30, 0, 1030, 30, 'chal_01M8ND2DS9BXECQA7DSVMC5Z5B', 'bot_01M8ND2B47DEVXC96KFM6V8M96', 1796014684119);
INSERT INTO ledger.statement_lines VALUES ('player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'PTS', 5, 'txn_01M8ND2F3DDYTW4K1XG587RT7D', 'hold', 0, 30, 0, 970, 60, 'chal_01M8ND2F230D7ZNR1RKW0THV8K', 'bot_01M8ND2ATBPH6F6SZGSD3S8W4X', 1796014685293);


--
-- Data for Name: system_balances; Type: TABLE DATA; Schema: ledger; Owner: -
--

INSERT INTO ledger.system_balances VALUES ('issuance', 'PTS', -2000);


--
-- Data for Name: system_deltas; Type: TABLE DATA; Schema: ledger; Owner: -
--



--
-- Data for Name: beats; Type: TABLE DATA; Schema: match_svc; Owner: -
--

INSERT INTO match_svc.beats VALUES ('last', 1796014693374);


--
-- Data for Name: challenges; Type: TABLE DATA; Schema: match_svc; Owner: -
--

INSERT INTO match_svc.challenges VALUES ('chal_01M8ND2BBEQR4TCHPDQ7JV8KBB', 2, 1, 'breakthrough', 'bot_01M8ND2ATBPH6F6SZGSD3S8W4X', NULL, 'bot_01M8ND2B47DEVXC96KFM6V8M96', 'set_01M8ND2BQM14QSH51ZW6Y0KS2C', '{"game":"breakthrough","contract_version":1,"simultaneous":false,"kind":"open","options_json":"{\"pieces\":12,\"random_rows\":3,\"size\":6,\"start\":\"standard\"}","clock":{"fischer":{"initial_s":60,"increment_s":2,"first_move_s":30}},"stake":{"currency":"PTS","amount_points":30},"rated":true,"format":"set","games_total":2,"creator":{"id":"bot_01M8ND2ATBPH6F6SZGSD3S8W4X","name":"ada-bot","kind":"bot","owner_id":"player_01M8ND2AFY13K6ZJKA3BTZ0WCD","owner_name":"ada","max_stake_points":500},"server_seed":[153,21,206,216,173,108,66,254,231,68,94,220,16,197,65,75,216,211,124,113,204,251,82,154,97,12,15,212,175,49,165,123],"seed_hash":[58,92,157,205,242,35,45,72,13,111,106,87,192,221,194,79,179,168,154,31,17,31,54,175,18,226,139,135,130,120,79,113]}', '{"id":"bot_01M8ND2B47DEVXC96KFM6V8M96","name":"bob-bot","kind":"bot","owner_id":"player_01M8ND2AXZ662FW1DQYQ6H6MXX","owner_name":"bob","max_stake_points":500}', 30, 1796015281454, 1796014681454, 1796014681844, '01M8ND2BNP4EYTHFRBJ95QRSM6', 'bot_01M8ND2B47DEVXC96KFM6V8M96', 1796014681782);
INSERT INTO match_svc.challenges VALUES ('chal_01M8ND2DS9BXECQA7DSVMC5Z5B', 2, 1, 'breakthrough', 'bot_01M8ND2ATBPH6F6SZGSD3S8W4X', NULL, 'bot_01M8ND2B47DEVXC96KFM6V8M96', 'set_01M8ND2E0ENFERJB49J3P5E834', '{"game":"breakthrough","contract_version":1,"simultaneous":false,"kind":"open","options_json":"{\"pieces\":12,\"random_rows\":3,\"size\":6,\"start\":\"standard\"}","clock":{"fischer":{"initial_s":600,"increment_s":10,"first_move_s":30}},"stake":{"currency":"PTS","amount_points":30},"rated":true,"format":"set","games_total":2,"creator":{"id":"bot_01M8ND2ATBPH6F6SZGSD3S8W4X","name":"ada-bot","kind":"bot","owner_id":"player_01M8ND2AFY13K6ZJKA3BTZ0WCD","owner_name":"ada","max_stake_points":500},"server_seed":[60,177,150,162,6,232,75,211,150,2,228,250,197,33,75,34,243,136,2,156,172,180,8,221,242,85,117,240,217,27,234,163],"seed_hash":[115,174,160,178,177,151,236,157,122,114,93,230,181,131,43,169,30,92,191,33,50,206,57,70,80,129,127,179,106,81,244,32]}', '{"id":"bot_01M8ND2B47DEVXC96KFM6V8M96","name":"bob-bot","kind":"bot","owner_id":"player_01M8ND2AXZ662FW1DQYQ6H6MXX","owner_name":"bob","max_stake_points":500}', 30, 1796015283945, 1796014683945, 1796014684174, '01M8ND2DW1VQ5YN6XV1J4RC6YA', 'bot_01M8ND2B47DEVXC96KFM6V8M96', 1796014684033);
INSERT INTO match_svc.challenges VALUES ('chal_01M8ND2EY9ARYY8SRY6C691G8E', 2, 3, 'breakthrough', 'bot_01M8ND2B47DEVXC96KFM6V8M96', 'house:easy', 'house:easy', 'set_01M8ND2EZ0YACKC9CSWWMS1WEM', '{"game":"breakthrough","contract_version":1,"simultaneous":false,"kind":"practice","options_json":"{\"pieces\":16,\"random_rows\":3,\"size\":8,\"start\":\"random\"}","rated":false,"unrated_reason":"practice","format":"set","games_total":2,"creator":{"id":"bot_01M8ND2B47DEVXC96KFM6V8M96","name":"bob-bot","kind":"bot","owner_id":"player_01M8ND2AXZ662FW1DQYQ6H6MXX","owner_name":"bob","max_stake_points":500},"opponent":{"id":"house:easy","name":"House easy","kind":"house","owner_id":"house","owner_name":"house","max_stake_points":0},"server_seed":[194,192,210,228,151,63,151,96,137,253,233,12,71,92,186,67,64,157,31,78,227,177,44,26,127,12,4,253,254,177,217,39],"seed_hash":[33,73,155,89,149,182,8,35,113,176,208,48,209,201,81,42,254,152,170,88,8,18,108,70,60,29,130,47,133,18,24,234]}', '{"id":"house:easy","name":"House easy","kind":"house","owner_id":"house","owner_name":"house","max_stake_points":0}', 0, 1796015285129, 1796014685129, 1796014685152, '01M8ND2EY9XFHR22MKKS45HM25', 'house:easy', 1796014685129);
INSERT INTO match_svc.challenges VALUES ('chal_01M8ND2F230D7ZNR1RKW0THV8K', 1, 1, 'maker-breaker', 'bot_01M8ND2ATBPH6F6SZGSD3S8W4X', NULL, NULL, NULL, '{"game":"maker-breaker","contract_version":1,"simultaneous":true,"kind":"open","options_json":"{}","clock":{"per_round":{"per_round_s":30}},"stake":{"currency":"PTS","amount_points":30},"rated":true,"format":"set","games_total":1,"creator":{"id":"bot_01M8ND2ATBPH6F6SZGSD3S8W4X","name":"ada-bot","kind":"bot","owner_id":"player_01M8ND2AFY13K6ZJKA3BTZ0WCD","owner_name":"ada","max_stake_points":500},"server_seed":[75,253,238,129,133,4,57,4,123,84,169,158,16,166,241,102,162,129,248,96,78,92,207,47,158,228,37,252,147,215,101,156],"seed_hash":[37,39,163,21,25,60,87,119,241,146,54,177,226,130,56,6,52,89,219,21,224,181,107,181,161,146,136,88,96,172,99,59]}', NULL, 30, 1796015285251, 1796014685251, 1796014685322, NULL, NULL, NULL);


--
-- Data for Name: migration_lock; Type: TABLE DATA; Schema: match_svc; Owner: -
--

INSERT INTO match_svc.migration_lock VALUES (1);


--
-- Data for Name: outages; Type: TABLE DATA; Schema: match_svc; Owner: -
--



--
-- Data for Name: outbox; Type: TABLE DATA; Schema: match_svc; Owner: -
--

INSERT INTO match_svc.outbox VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C:settle', 'set_01M8ND2BQM14QSH51ZW6Y0KS2C', '{"settle":{"set_id":"set_01M8ND2BQM14QSH51ZW6Y0KS2C","winner":"acceptor","hold_ids":["chal_01M8ND2BBEQR4TCHPDQ7JV8KBB:hold:creator","chal_01M8ND2BBEQR4TCHPDQ7JV8KBB:hold:acceptor:bot_01M8ND2B47DEVXC96KFM6V8M96:01M8ND2BNP4EYTHFRBJ95QRSM6"]}}', NULL, 1, 1796014683846, 1796014684133);
INSERT INTO match_svc.outbox VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C:rate', 'set_01M8ND2BQM14QSH51ZW6Y0KS2C', '{"rate":{"set_id":"set_01M8ND2BQM14QSH51ZW6Y0KS2C"}}', NULL, 1, 1796014683846, 1796014684133);


--
-- Data for Name: participant_sets; Type: TABLE DATA; Schema: match_svc; Owner: -
--

INSERT INTO match_svc.participant_sets VALUES ('bot_01M8ND2ATBPH6F6SZGSD3S8W4X', 'set_01M8ND2BQM14QSH51ZW6Y0KS2C', 0);
INSERT INTO match_svc.participant_sets VALUES ('bot_01M8ND2B47DEVXC96KFM6V8M96', 'set_01M8ND2BQM14QSH51ZW6Y0KS2C', 0);
INSERT INTO match_svc.participant_sets VALUES ('bot_01M8ND2ATBPH6F6SZGSD3S8W4X', 'set_01M8ND2E0ENFERJB49J3P5E834', 1);
INSERT INTO match_svc.participant_sets VALUES ('bot_01M8ND2B47DEVXC96KFM6V8M96', 'set_01M8ND2E0ENFERJB49J3P5E834', 1);
INSERT INTO match_svc.participant_sets VALUES ('bot_01M8ND2B47DEVXC96KFM6V8M96', 'set_01M8ND2EZ0YACKC9CSWWMS1WEM', 1);
INSERT INTO match_svc.participant_sets VALUES ('house:easy', 'set_01M8ND2EZ0YACKC9CSWWMS1WEM', 1);


--
-- Data for Name: participants; Type: TABLE DATA; Schema: match_svc; Owner: -
--

INSERT INTO match_svc.participants VALUES ('bot_01M8ND2B47DEVXC96KFM6V8M96', 1796014685129);
INSERT INTO match_svc.participants VALUES ('bot_01M8ND2ATBPH6F6SZGSD3S8W4X', 1796014685251);


--
-- Data for Name: pending_moves; Type: TABLE DATA; Schema: match_svc; Owner: -
--



--
-- Data for Name: requests; Type: TABLE DATA; Schema: match_svc; Owner: -
--

INSERT INTO match_svc.requests VALUES ('bot_01M8ND2ATBPH6F6SZGSD3S8W4X', 'client:k902254243635', '1d4b9618046549bd33dfbe9445a964e5729d41b259c71459cb3428ef4ff7e064', 'chal_01M8ND2BBEQR4TCHPDQ7JV8KBB', 1796014681454);
INSERT INTO match_svc.requests VALUES ('bot_01M8ND2B47DEVXC96KFM6V8M96', 'client:k105380810795', 'e9dc9545440086c3b30a0edaaf3940d5faf557f1b279a01ad150520eb321f681', 'set_01M8ND2BQM14QSH51ZW6Y0KS2C', 1796014681851);
INSERT INTO match_svc.requests VALUES ('bot_01M8ND2ATBPH6F6SZGSD3S8W4X', 'client:k942988695358', '8e48a44551f7433eb191838082b8884896630e32af493aeb8728f39523fedf4f', 'set_01M8ND2BQM14QSH51ZW6Y0KS2C', 1796014683060);
INSERT INTO match_svc.requests VALUES ('bot_01M8ND2ATBPH6F6SZGSD3S8W4X', 'client:k702532973417', '29be9e38ad15a82fa556dd48739d6d81ac536198b8adf756c71557779a43bf17', 'set_01M8ND2BQM14QSH51ZW6Y0KS2C', 1796014683846);
INSERT INTO match_svc.requests VALUES ('bot_01M8ND2ATBPH6F6SZGSD3S8W4X', 'client:k408828793029', 'd6ff1f409e4b7c4c828f731f667a45a4ce48643418e5437a1fa7d97102ad807c', 'chal_01M8ND2DS9BXECQA7DSVMC5Z5B', 1796014683945);
INSERT INTO match_svc.requests VALUES ('bot_01M8ND2B47DEVXC96KFM6V8M96', 'client:k601713882578', 'd3f30c9c4429a3d92d051325dd5c533885c0f3dc57a4fa4bb70be5031f4b4dd2', 'set_01M8ND2E0ENFERJB49J3P5E834', 1796014684204);
INSERT INTO match_svc.requests VALUES ('bot_01M8ND2B47DEVXC96KFM6V8M96', 'client:k271870429101', 'c23f8ed6fbacdd82bf11e62c583fd5f89a72d9b3694fcf6d9cb2ecde32383e5a', 'chal_01M8ND2EY9ARYY8SRY6C691G8E', 1796014685129);
INSERT INTO match_svc.requests VALUES ('bot_01M8ND2B47DEVXC96KFM6V8M96', 'client:k200980329511', 'b18909daca8a3dd15621f22d22e859fabe984b2215782d821737e326e9e1f55b', 'set_01M8ND2EZ0YACKC9CSWWMS1WEM', 1796014685220);
INSERT INTO match_svc.requests VALUES ('bot_01M8ND2ATBPH6F6SZGSD3S8W4X', 'client:k857700650132', '2756cf236f883857e68b20eaa9930152ae5064638517c92c2890cf6d5b40bb7b', 'chal_01M8ND2F230D7ZNR1RKW0THV8K', 1796014685251);


--
-- Data for Name: seaql_migrations; Type: TABLE DATA; Schema: match_svc; Owner: -
--

INSERT INTO match_svc.seaql_migrations VALUES ('m0001_tables', 1796014679);


--
-- Data for Name: set_events; Type: TABLE DATA; Schema: match_svc; Owner: -
--

INSERT INTO match_svc.set_events VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 1, 1796014681851, '{"started":{"g":{"n":1,"s":"active","c":"2","p":"AQxicmVha3Rocm91Z2gAAAAABv8PAAAAAAAA/w8","k":{"fischer":{"remaining_ms":[60000,60000],"moved":[false,false],"increment_ms":2000,"first_move_ms":30000,"running":{"seat":"1","since_ms":1796014681851}}},"m":[0,0]}}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 2, 1796014682063, '{"moved":{"g":{"n":1,"s":"active","c":"2","p":"AQxicmVha3Rocm91Z2gAAQAABv+LAAAAAAAA/w8","k":{"fischer":{"remaining_ms":[60000,60000],"moved":[true,false],"increment_ms":2000,"first_move_ms":30000,"running":{"seat":"2","since_ms":1796014682063}}},"l":{"ply":0,"moves":[{"seat":"1","move_json":"{\"from\":[1,4],\"to\":[2,3]}","notation":"e2-d3","received_ms":1796014682063}],"at_ms":1796014682063},"m":[1,0]},"round":false,"by":null}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 3, 1796014682147, '{"moved":{"g":{"n":1,"s":"active","c":"2","p":"AQxicmVha3Rocm91Z2gAAgAABv+LAAAAAAAQ+w8","k":{"fischer":{"remaining_ms":[60000,60000],"moved":[true,true],"increment_ms":2000,"first_move_ms":30000,"running":{"seat":"1","since_ms":1796014682147}}},"l":{"ply":1,"moves":[{"seat":"2","move_json":"{\"from\":[4,2],\"to\":[3,2]}","notation":"c5-c4","received_ms":1796014682147}],"at_ms":1796014682147},"m":[1,1]},"round":false,"by":null}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 4, 1796014682247, '{"moved":{"g":{"n":1,"s":"active","c":"2","p":"AQxicmVha3Rocm91Z2gAAwAABv+DAgAAAAAQ+w8","k":{"fischer":{"remaining_ms":[61900,60000],"moved":[true,true],"increment_ms":2000,"first_move_ms":30000,"running":{"seat":"2","since_ms":1796014682247}}},"l":{"ply":2,"moves":[{"seat":"1","move_json":"{\"from\":[1,5],\"to\":[2,5]}","notation":"f2-f3","received_ms":1796014682247}],"at_ms":1796014682247},"m":[2,1]},"round":false,"by":null}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 5, 1796014682512, '{"moved":{"g":{"n":1,"s":"active","c":"2","p":"AQxicmVha3Rocm91Z2gABAAABv+DAgAAAAAw8w8","k":{"fischer":{"remaining_ms":[61900,61735],"moved":[true,true],"increment_ms":2000,"first_move_ms":30000,"running":{"seat":"1","since_ms":1796014682512}}},"l":{"ply":3,"moves":[{"seat":"2","move_json":"{\"from\":[4,3],\"to\":[3,3]}","notation":"d5-d4","received_ms":1796014682512}],"at_ms":1796014682512},"m":[2,2]},"round":false,"by":null}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 6, 1796014682626, '{"moved":{"g":{"n":1,"s":"active","c":"2","p":"AQxicmVha3Rocm91Z2gABQAABv+BAwAAAAAw8w8","k":{"fischer":{"remaining_ms":[63786,61735],"moved":[true,true],"increment_ms":2000,"first_move_ms":30000,"running":{"seat":"2","since_ms":1796014682626}}},"l":{"ply":4,"moves":[{"seat":"1","move_json":"{\"from\":[1,3],\"to\":[2,4]}","notation":"d2-e3","received_ms":1796014682626}],"at_ms":1796014682626},"m":[3,2]},"round":false,"by":null}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 7, 1796014682742, '{"moved":{"g":{"n":1,"s":"active","c":"2","p":"AQxicmVha3Rocm91Z2gABgAABv+BAwAAAAAw+ws","k":{"fischer":{"remaining_ms":[63786,63619],"moved":[true,true],"increment_ms":2000,"first_move_ms":30000,"running":{"seat":"1","since_ms":1796014682742}}},"l":{"ply":5,"moves":[{"seat":"2","move_json":"{\"from\":[5,4],\"to\":[4,3]}","notation":"e6-d5","received_ms":1796014682742}],"at_ms":1796014682742},"m":[3,3]},"round":false,"by":null}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 8, 1796014682822, '{"moved":{"g":{"n":1,"s":"active","c":"2","p":"AQxicmVha3Rocm91Z2gABwAABv+BQQAAAAAw+ws","k":{"fischer":{"remaining_ms":[65706,63619],"moved":[true,true],"increment_ms":2000,"first_move_ms":30000,"running":{"seat":"2","since_ms":1796014682822}}},"l":{"ply":6,"moves":[{"seat":"1","move_json":"{\"from\":[2,5],\"to\":[3,4]}","notation":"f3-e4","received_ms":1796014682822}],"at_ms":1796014682822},"m":[4,3]},"round":false,"by":null}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 9, 1796014682927, '{"moved":{"g":{"n":1,"s":"active","c":"2","p":"AQxicmVha3Rocm91Z2gACAAABv+BQQAAAACw2ws","k":{"fischer":{"remaining_ms":[65706,65514],"moved":[true,true],"increment_ms":2000,"first_move_ms":30000,"running":{"seat":"1","since_ms":1796014682927}}},"l":{"ply":7,"moves":[{"seat":"2","move_json":"{\"from\":[4,5],\"to\":[3,5]}","notation":"f5-f4","received_ms":1796014682927}],"at_ms":1796014682927},"m":[4,4]},"round":false,"by":null}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 10, 1796014683060, '{"finished":{"g":{"n":1,"s":"finished","c":"2","p":"AQxicmVha3Rocm91Z2gACAAABv+BQQAAAACw2ws","k":{"fischer":{"remaining_ms":[65573,65514],"moved":[true,true],"increment_ms":2000,"first_move_ms":30000,"running":null}},"l":{"ply":7,"moves":[{"seat":"2","move_json":"{\"from\":[4,5],\"to\":[3,5]}","notation":"f5-f4","received_ms":1796014682927}],"at_ms":1796014682927},"r":{"winner":"1","reason":"resignation"},"m":[4,4]},"hp":[0,2]}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 11, 1796014683060, '{"started":{"g":{"n":2,"s":"active","c":"1","p":"AQxicmVha3Rocm91Z2gAAAAABv8PAAAAAAAA/w8","k":{"fischer":{"remaining_ms":[60000,60000],"moved":[false,false],"increment_ms":2000,"first_move_ms":30000,"running":{"seat":"1","since_ms":1796014683060}}},"m":[0,0]}}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 12, 1796014683391, '{"moved":{"g":{"n":2,"s":"active","c":"1","p":"AQxicmVha3Rocm91Z2gAAQAABn9PAAAAAAAA/w8","k":{"fischer":{"remaining_ms":[60000,60000],"moved":[true,false],"increment_ms":2000,"first_move_ms":30000,"running":{"seat":"2","since_ms":1796014683391}}},"l":{"ply":0,"moves":[{"seat":"1","move_json":"{\"from\":[1,1],\"to\":[2,2]}","notation":"b2-c3","received_ms":1796014683391}],"at_ms":1796014683391},"m":[1,0]},"round":false,"by":null}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 13, 1796014683615, '{"moved":{"g":{"n":2,"s":"active","c":"1","p":"AQxicmVha3Rocm91Z2gAAgAABn9PAAAAAAAQ/Q8","k":{"fischer":{"remaining_ms":[60000,60000],"moved":[true,true],"increment_ms":2000,"first_move_ms":30000,"running":{"seat":"1","since_ms":1796014683615}}},"l":{"ply":1,"moves":[{"seat":"2","move_json":"{\"from\":[4,1],\"to\":[3,2]}","notation":"b5-c4","received_ms":1796014683615}],"at_ms":1796014683615},"m":[1,1]},"round":false,"by":null}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 14, 1796014683749, '{"moved":{"g":{"n":2,"s":"active","c":"1","p":"AQxicmVha3Rocm91Z2gAAwAABn/LAAAAAAAQ/Q8","k":{"fischer":{"remaining_ms":[61866,60000],"moved":[true,true],"increment_ms":2000,"first_move_ms":30000,"running":{"seat":"2","since_ms":1796014683749}}},"l":{"ply":2,"moves":[{"seat":"1","move_json":"{\"from\":[1,4],\"to\":[2,3]}","notation":"e2-d3","received_ms":1796014683749}],"at_ms":1796014683749},"m":[2,1]},"round":false,"by":null}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 15, 1796014683808, '{"moved":{"g":{"n":2,"s":"active","c":"1","p":"AQxicmVha3Rocm91Z2gABAAABn/LAAAAAAAw+Q8","k":{"fischer":{"remaining_ms":[61866,61941],"moved":[true,true],"increment_ms":2000,"first_move_ms":30000,"running":{"seat":"1","since_ms":1796014683808}}},"l":{"ply":3,"moves":[{"seat":"2","move_json":"{\"from\":[4,2],\"to\":[3,3]}","notation":"c5-d4","received_ms":1796014683808}],"at_ms":1796014683808},"m":[2,2]},"round":false,"by":null}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 16, 1796014683846, '{"finished":{"g":{"n":2,"s":"finished","c":"1","p":"AQxicmVha3Rocm91Z2gABAAABn/LAAAAAAAw+Q8","k":{"fischer":{"remaining_ms":[61828,61941],"moved":[true,true],"increment_ms":2000,"first_move_ms":30000,"running":null}},"l":{"ply":3,"moves":[{"seat":"2","move_json":"{\"from\":[4,2],\"to\":[3,3]}","notation":"c5-d4","received_ms":1796014683808}],"at_ms":1796014683808},"r":{"winner":"2","reason":"resignation"},"m":[2,2]},"hp":[0,4]}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 17, 1796014683846, '{"ended":{"end":{"result":{"winner":"acceptor","by":"points"},"half_points":[0,4],"at_ms":1796014683846}}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2E0ENFERJB49J3P5E834', 1, 1796014684204, '{"started":{"g":{"n":1,"s":"active","c":"2","p":"AQxicmVha3Rocm91Z2gAAAAABv8PAAAAAAAA/w8","k":{"fischer":{"remaining_ms":[600000,600000],"moved":[false,false],"increment_ms":10000,"first_move_ms":30000,"running":{"seat":"1","since_ms":1796014684204}}},"m":[0,0]}}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2E0ENFERJB49J3P5E834', 4, 1796014684742, '{"moved":{"g":{"n":1,"s":"active","c":"2","p":"AQxicmVha3Rocm91Z2gAAwAABn8XAQAAAAAQ+w8","k":{"fischer":{"remaining_ms":[609867,600000],"moved":[true,true],"increment_ms":10000,"first_move_ms":30000,"running":{"seat":"2","since_ms":1796014684742}}},"l":{"ply":2,"moves":[{"seat":"1","move_json":"{\"from\":[1,5],\"to\":[2,4]}","notation":"f2-e3","received_ms":1796014684742}],"at_ms":1796014684742},"m":[2,1]},"round":false,"by":null}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2E0ENFERJB49J3P5E834', 2, 1796014684427, '{"moved":{"g":{"n":1,"s":"active","c":"2","p":"AQxicmVha3Rocm91Z2gAAQAABn8fAAAAAAAA/w8","k":{"fischer":{"remaining_ms":[600000,600000],"moved":[true,false],"increment_ms":10000,"first_move_ms":30000,"running":{"seat":"2","since_ms":1796014684427}}},"l":{"ply":0,"moves":[{"seat":"1","move_json":"{\"from\":[1,1],\"to\":[2,0]}","notation":"b2-a3","received_ms":1796014684427}],"at_ms":1796014684427},"m":[1,0]},"round":false,"by":null}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2E0ENFERJB49J3P5E834', 3, 1796014684609, '{"moved":{"g":{"n":1,"s":"active","c":"2","p":"AQxicmVha3Rocm91Z2gAAgAABn8fAAAAAAAQ+w8","k":{"fischer":{"remaining_ms":[600000,600000],"moved":[true,true],"increment_ms":10000,"first_move_ms":30000,"running":{"seat":"1","since_ms":1796014684609}}},"l":{"ply":1,"moves":[{"seat":"2","move_json":"{\"from\":[4,2],\"to\":[3,2]}","notation":"c5-c4","received_ms":1796014684609}],"at_ms":1796014684609},"m":[1,1]},"round":false,"by":null}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2E0ENFERJB49J3P5E834', 5, 1796014684940, '{"moved":{"g":{"n":1,"s":"active","c":"2","p":"AQxicmVha3Rocm91Z2gABAAABn8XAQAAAAAQfw8","k":{"fischer":{"remaining_ms":[609867,609802],"moved":[true,true],"increment_ms":10000,"first_move_ms":30000,"running":{"seat":"1","since_ms":1796014684940}}},"l":{"ply":3,"moves":[{"seat":"2","move_json":"{\"from\":[5,1],\"to\":[4,2]}","notation":"b6-c5","received_ms":1796014684940}],"at_ms":1796014684940},"m":[2,2]},"round":false,"by":null}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2EZ0YACKC9CSWWMS1WEM', 1, 1796014685158, '{"started":{"g":{"n":1,"s":"active","c":"2","p":"AQxicmVha3Rocm91Z2gAAAAACLWjvwAAAAAAAAAAAADteV4","m":[0,0]}}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2EZ0YACKC9CSWWMS1WEM', 3, 1796014685220, '{"pause":{"g":{"n":1,"s":"paused","c":"2","p":"AQxicmVha3Rocm91Z2gAAQAACLWjuwQAAAAAAAAAAADteV4","l":{"ply":0,"moves":[{"seat":"1","move_json":"{\"from\":[2,2],\"to\":[3,2]}","notation":"c3-c4","received_ms":1796014685199}],"at_ms":1796014685199},"m":[1,0]},"on":true}}');
INSERT INTO match_svc.set_events VALUES ('set_01M8ND2EZ0YACKC9CSWWMS1WEM', 2, 1796014685199, '{"moved":{"g":{"n":1,"s":"active","c":"2","p":"AQxicmVha3Rocm91Z2gAAQAACLWjuwQAAAAAAAAAAADteV4","l":{"ply":0,"moves":[{"seat":"1","move_json":"{\"from\":[2,2],\"to\":[3,2]}","notation":"c3-c4","received_ms":1796014685199}],"at_ms":1796014685199},"m":[1,0]},"round":false,"by":null}}');


--
-- Data for Name: set_states; Type: TABLE DATA; Schema: match_svc; Owner: -
--

INSERT INTO match_svc.set_states VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 17, NULL, 0, 0, '{"status":"finished","games":[{"n":1,"s":"finished","c":"2","p":"AQxicmVha3Rocm91Z2gACAAABv+BQQAAAACw2ws","k":{"fischer":{"remaining_ms":[65573,65514],"moved":[true,true],"increment_ms":2000,"first_move_ms":30000,"running":null}},"l":{"ply":7,"moves":[{"seat":"2","move_json":"{\"from\":[4,5],\"to\":[3,5]}","notation":"f5-f4","received_ms":1796014682927}],"at_ms":1796014682927},"r":{"winner":"1","reason":"resignation"},"m":[4,4]},{"n":2,"s":"finished","c":"1","p":"AQxicmVha3Rocm91Z2gABAAABn/LAAAAAAAw+Q8","k":{"fischer":{"remaining_ms":[61828,61941],"moved":[true,true],"increment_ms":2000,"first_move_ms":30000,"running":null}},"l":{"ply":3,"moves":[{"seat":"2","move_json":"{\"from\":[4,2],\"to\":[3,3]}","notation":"c5-d4","received_ms":1796014683808}],"at_ms":1796014683808},"r":{"winner":"2","reason":"resignation"},"m":[2,2]}],"end":{"result":{"winner":"acceptor","by":"points"},"half_points":[0,4],"at_ms":1796014683846},"credited":1796014681851,"touched":1796014683846,"logged":1796014683846}');
INSERT INTO match_svc.set_states VALUES ('set_01M8ND2E0ENFERJB49J3P5E834', 5, 1796015294807, 0, 0, '{"status":"active","games":[{"n":1,"s":"active","c":"2","p":"AQxicmVha3Rocm91Z2gABAAABn8XAQAAAAAQfw8","k":{"fischer":{"remaining_ms":[609867,609802],"moved":[true,true],"increment_ms":10000,"first_move_ms":30000,"running":{"seat":"1","since_ms":1796014684940}}},"l":{"ply":3,"moves":[{"seat":"2","move_json":"{\"from\":[5,1],\"to\":[4,2]}","notation":"b6-c5","received_ms":1796014684940}],"at_ms":1796014684940},"m":[2,2]}],"end":null,"credited":1796014684204,"touched":1796014684975,"logged":1796014684940}');
INSERT INTO match_svc.set_states VALUES ('set_01M8ND2EZ0YACKC9CSWWMS1WEM', 3, 1798606685220, 0, 0, '{"status":"active","games":[{"n":1,"s":"paused","c":"2","p":"AQxicmVha3Rocm91Z2gAAQAACLWjuwQAAAAAAAAAAADteV4","l":{"ply":0,"moves":[{"seat":"1","move_json":"{\"from\":[2,2],\"to\":[3,2]}","notation":"c3-c4","received_ms":1796014685199}],"at_ms":1796014685199},"m":[1,0]}],"end":null,"credited":1796014685158,"touched":1796014685220,"logged":1796014685220}');


--
-- Data for Name: sets; Type: TABLE DATA; Schema: match_svc; Owner: -
--

INSERT INTO match_svc.sets VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 'breakthrough', 2, 2, 'bot_01M8ND2ATBPH6F6SZGSD3S8W4X', 'bot_01M8ND2B47DEVXC96KFM6V8M96', '{"id":"set_01M8ND2BQM14QSH51ZW6Y0KS2C","challenge_id":"chal_01M8ND2BBEQR4TCHPDQ7JV8KBB","kind":"open","game":"breakthrough","contract_version":1,"simultaneous":false,"options_json":"{\"pieces\":12,\"random_rows\":3,\"size\":6,\"start\":\"standard\"}","clock":{"fischer":{"initial_s":60,"increment_s":2,"first_move_s":30}},"stakes":{"stake":{"currency":"PTS","amount_points":30},"winnings_points":30,"hold_ids":["chal_01M8ND2BBEQR4TCHPDQ7JV8KBB:hold:creator","chal_01M8ND2BBEQR4TCHPDQ7JV8KBB:hold:acceptor:bot_01M8ND2B47DEVXC96KFM6V8M96:01M8ND2BNP4EYTHFRBJ95QRSM6"]},"rated":true,"games_total":2,"creator_seat":"2","format":"set","creator":{"id":"bot_01M8ND2ATBPH6F6SZGSD3S8W4X","name":"ada-bot","kind":"bot","owner_id":"player_01M8ND2AFY13K6ZJKA3BTZ0WCD","owner_name":"ada","max_stake_points":500},"acceptor":{"id":"bot_01M8ND2B47DEVXC96KFM6V8M96","name":"bob-bot","kind":"bot","owner_id":"player_01M8ND2AXZ662FW1DQYQ6H6MXX","owner_name":"bob","max_stake_points":500},"seed_hash":[58,92,157,205,242,35,45,72,13,111,106,87,192,221,194,79,179,168,154,31,17,31,54,175,18,226,139,135,130,120,79,113],"secrets":{"server_seed":[153,21,206,216,173,108,66,254,231,68,94,220,16,197,65,75,216,211,124,113,204,251,82,154,97,12,15,212,175,49,165,123],"seed":[131,63,160,179,221,227,68,121,123,8,175,111,193,141,219,166,194,208,18,130,17,152,129,146,175,50,69,101,153,147,128,20]},"created_at_ms":1796014681844}', 1796014681844, 1796014683846);
INSERT INTO match_svc.sets VALUES ('set_01M8ND2E0ENFERJB49J3P5E834', 'breakthrough', 1, 1, 'bot_01M8ND2ATBPH6F6SZGSD3S8W4X', 'bot_01M8ND2B47DEVXC96KFM6V8M96', '{"id":"set_01M8ND2E0ENFERJB49J3P5E834","challenge_id":"chal_01M8ND2DS9BXECQA7DSVMC5Z5B","kind":"open","game":"breakthrough","contract_version":1,"simultaneous":false,"options_json":"{\"pieces\":12,\"random_rows\":3,\"size\":6,\"start\":\"standard\"}","clock":{"fischer":{"initial_s":600,"increment_s":10,"first_move_s":30}},"stakes":{"stake":{"currency":"PTS","amount_points":30},"winnings_points":30,"hold_ids":["chal_01M8ND2DS9BXECQA7DSVMC5Z5B:hold:creator","chal_01M8ND2DS9BXECQA7DSVMC5Z5B:hold:acceptor:bot_01M8ND2B47DEVXC96KFM6V8M96:01M8ND2DW1VQ5YN6XV1J4RC6YA"]},"rated":true,"games_total":2,"creator_seat":"2","format":"set","creator":{"id":"bot_01M8ND2ATBPH6F6SZGSD3S8W4X","name":"ada-bot","kind":"bot","owner_id":"player_01M8ND2AFY13K6ZJKA3BTZ0WCD","owner_name":"ada","max_stake_points":500},"acceptor":{"id":"bot_01M8ND2B47DEVXC96KFM6V8M96","name":"bob-bot","kind":"bot","owner_id":"player_01M8ND2AXZ662FW1DQYQ6H6MXX","owner_name":"bob","max_stake_points":500},"seed_hash":[115,174,160,178,177,151,236,157,122,114,93,230,181,131,43,169,30,92,191,33,50,206,57,70,80,129,127,179,106,81,244,32],"secrets":{"server_seed":[60,177,150,162,6,232,75,211,150,2,228,250,197,33,75,34,243,136,2,156,172,180,8,221,242,85,117,240,217,27,234,163],"seed":[105,74,56,202,224,80,247,50,190,65,163,17,168,194,5,210,21,62,14,206,42,186,241,144,142,247,236,44,55,214,206,140]},"created_at_ms":1796014684174}', 1796014684174, NULL);
INSERT INTO match_svc.sets VALUES ('set_01M8ND2EZ0YACKC9CSWWMS1WEM', 'breakthrough', 1, 0, 'bot_01M8ND2B47DEVXC96KFM6V8M96', 'house:easy', '{"id":"set_01M8ND2EZ0YACKC9CSWWMS1WEM","challenge_id":"chal_01M8ND2EY9ARYY8SRY6C691G8E","kind":"practice","game":"breakthrough","contract_version":1,"simultaneous":false,"options_json":"{\"pieces\":16,\"random_rows\":3,\"size\":8,\"start\":\"random\"}","rated":false,"unrated_reason":"practice","games_total":2,"creator_seat":"2","format":"set","creator":{"id":"bot_01M8ND2B47DEVXC96KFM6V8M96","name":"bob-bot","kind":"bot","owner_id":"player_01M8ND2AXZ662FW1DQYQ6H6MXX","owner_name":"bob","max_stake_points":500},"acceptor":{"id":"house:easy","name":"House easy","kind":"house","owner_id":"house","owner_name":"house","max_stake_points":0},"seed_hash":[33,73,155,89,149,182,8,35,113,176,208,48,209,201,81,42,254,152,170,88,8,18,108,70,60,29,130,47,133,18,24,234],"secrets":{"server_seed":[194,192,210,228,151,63,151,96,137,253,233,12,71,92,186,67,64,157,31,78,227,177,44,26,127,12,4,253,254,177,217,39],"seed":[88,178,172,15,210,32,108,206,5,188,232,14,7,114,181,35,98,177,125,86,245,30,96,114,52,12,14,176,197,239,94,103]},"created_at_ms":1796014685152}', 1796014685152, NULL);


--
-- Data for Name: signing_keys; Type: TABLE DATA; Schema: match_svc; Owner: -
--

INSERT INTO match_svc.signing_keys VALUES ('ed25519_50e629574f15fd2fb591b63250b367c06060be6cfc9a2426680e5652ee317eb5', 'a242ba28097ab1b8a9a32eaa034b6e9cb5e11672e66c48930592214cf8fb5e9b', 1796014679819);


--
-- Data for Name: strikes; Type: TABLE DATA; Schema: match_svc; Owner: -
--



--
-- Data for Name: history; Type: TABLE DATA; Schema: rating; Owner: -
--

INSERT INTO rating.history VALUES ('bot_01M8ND2ATBPH6F6SZGSD3S8W4X', 'breakthrough', 'set_01M8ND2BQM14QSH51ZW6Y0KS2C', 1796014683846, 1037.689106093702, 290.3189637179804, 0.05999967537233814);
INSERT INTO rating.history VALUES ('bot_01M8ND2B47DEVXC96KFM6V8M96', 'breakthrough', 'set_01M8ND2BQM14QSH51ZW6Y0KS2C', 1796014683846, 1362.3108939062977, 290.3189637179804, 0.05999967537233814);


--
-- Data for Name: migration_lock; Type: TABLE DATA; Schema: rating; Owner: -
--

INSERT INTO rating.migration_lock VALUES (1);


--
-- Data for Name: practice; Type: TABLE DATA; Schema: rating; Owner: -
--



--
-- Data for Name: seaql_migrations; Type: TABLE DATA; Schema: rating; Owner: -
--

INSERT INTO rating.seaql_migrations VALUES ('m0001_ratings', 1796014679);


--
-- Data for Name: sets; Type: TABLE DATA; Schema: rating; Owner: -
--

INSERT INTO rating.sets VALUES ('set_01M8ND2BQM14QSH51ZW6Y0KS2C', 'breakthrough', true, 1796014683846, NULL, NULL, NULL, '{"set":"set_01M8ND2BQM14QSH51ZW6Y0KS2C","game":"breakthrough","rated":true,"creator":{"id":"bot_01M8ND2ATBPH6F6SZGSD3S8W4X","name":"ada-bot","owner_id":"player_01M8ND2AFY13K6ZJKA3BTZ0WCD","owner_name":"ada"},"acceptor":{"id":"bot_01M8ND2B47DEVXC96KFM6V8M96","name":"bob-bot","owner_id":"player_01M8ND2AXZ662FW1DQYQ6H6MXX","owner_name":"bob"},"outcome":"AcceptorWon","lost_points":30,"won_points":30,"finished_at_ms":1796014683846,"practice":null}', '{"creator":{"rating_bits":4652278620399017907,"deviation_bits":4643814961413559650,"volatility_bits":4588807685536569241,"wins":0,"draws":0,"losses":1,"won_points":0,"lost_points":30,"last":[1796014683846,"set_01M8ND2BQM14QSH51ZW6Y0KS2C"]},"acceptor":{"rating_bits":4653706322120335436,"deviation_bits":4643814961413559650,"volatility_bits":4588807685536569241,"wins":1,"draws":0,"losses":0,"won_points":30,"lost_points":0,"last":[1796014683846,"set_01M8ND2BQM14QSH51ZW6Y0KS2C"]}}');


--
-- Data for Name: standings; Type: TABLE DATA; Schema: rating; Owner: -
--

INSERT INTO rating.standings VALUES ('breakthrough', 'bot_01M8ND2ATBPH6F6SZGSD3S8W4X', true, 'ada-bot', 'player_01M8ND2AFY13K6ZJKA3BTZ0WCD', 'ada', 1037.689106093702, 290.3189637179804, 0.05999967537233814, 0, 0, 1, 0, 30, 1796014683846, 'set_01M8ND2BQM14QSH51ZW6Y0KS2C', '[]', 1, 1796014684100);
INSERT INTO rating.standings VALUES ('breakthrough', 'bot_01M8ND2B47DEVXC96KFM6V8M96', true, 'bob-bot', 'player_01M8ND2AXZ662FW1DQYQ6H6MXX', 'bob', 1362.3108939062977, 290.3189637179804, 0.05999967537233814, 1, 0, 0, 30, 0, 1796014683846, 'set_01M8ND2BQM14QSH51ZW6Y0KS2C', '[]', 1, 1796014684100);


--
-- Name: bots bots_pkey; Type: CONSTRAINT; Schema: gateway; Owner: -
--

ALTER TABLE ONLY gateway.bots
    ADD CONSTRAINT bots_pkey PRIMARY KEY (id);


--
-- Name: keys keys_pkey; Type: CONSTRAINT; Schema: gateway; Owner: -
--

ALTER TABLE ONLY gateway.keys
    ADD CONSTRAINT keys_pkey PRIMARY KEY (id);


--
-- Name: keys keys_public_key; Type: CONSTRAINT; Schema: gateway; Owner: -
--

ALTER TABLE ONLY gateway.keys
    ADD CONSTRAINT keys_public_key UNIQUE (public);


--
-- Name: migration_lock migration_lock_pkey; Type: CONSTRAINT; Schema: gateway; Owner: -
--

ALTER TABLE ONLY gateway.migration_lock
    ADD CONSTRAINT migration_lock_pkey PRIMARY KEY (id);


--
-- Name: names names_pkey; Type: CONSTRAINT; Schema: gateway; Owner: -
--

ALTER TABLE ONLY gateway.names
    ADD CONSTRAINT names_pkey PRIMARY KEY (folded);


--
-- Name: players players_pkey; Type: CONSTRAINT; Schema: gateway; Owner: -
--

ALTER TABLE ONLY gateway.players
    ADD CONSTRAINT players_pkey PRIMARY KEY (id);


--
-- Name: replays replays_pkey; Type: CONSTRAINT; Schema: gateway; Owner: -
--

ALTER TABLE ONLY gateway.replays
    ADD CONSTRAINT replays_pkey PRIMARY KEY (actor_id, request_id);


--
-- Name: seaql_migrations seaql_migrations_pkey; Type: CONSTRAINT; Schema: gateway; Owner: -
--

ALTER TABLE ONLY gateway.seaql_migrations
    ADD CONSTRAINT seaql_migrations_pkey PRIMARY KEY (version);


--
-- Name: accounts accounts_pkey; Type: CONSTRAINT; Schema: ledger; Owner: -
--

ALTER TABLE ONLY ledger.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (account_id, currency);


--
-- Name: audit_marks audit_marks_pkey; Type: CONSTRAINT; Schema: ledger; Owner: -
--

ALTER TABLE ONLY ledger.audit_marks
    ADD CONSTRAINT audit_marks_pkey PRIMARY KEY (account_id, currency);


--
-- Name: audit_reports audit_reports_pkey; Type: CONSTRAINT; Schema: ledger; Owner: -
--

ALTER TABLE ONLY ledger.audit_reports
    ADD CONSTRAINT audit_reports_pkey PRIMARY KEY (id);


--
-- Name: entries entries_pkey; Type: CONSTRAINT; Schema: ledger; Owner: -
--

ALTER TABLE ONLY ledger.entries
    ADD CONSTRAINT entries_pkey PRIMARY KEY (transaction_id, leg);


--
-- Name: holds holds_pkey; Type: CONSTRAINT; Schema: ledger; Owner: -
--

ALTER TABLE ONLY ledger.holds
    ADD CONSTRAINT holds_pkey PRIMARY KEY (hold_id);


--
-- Name: migration_lock migration_lock_pkey; Type: CONSTRAINT; Schema: ledger; Owner: -
--

ALTER TABLE ONLY ledger.migration_lock
    ADD CONSTRAINT migration_lock_pkey PRIMARY KEY (id);


--
-- Name: postings postings_pkey; Type: CONSTRAINT; Schema: ledger; Owner: -
--

ALTER TABLE ONLY ledger.postings
    ADD CONSTRAINT postings_pkey PRIMARY KEY (request_id);


--
-- Name: seaql_migrations seaql_migrations_pkey; Type: CONSTRAINT; Schema: ledger; Owner: -
--

ALTER TABLE ONLY ledger.seaql_migrations
    ADD CONSTRAINT seaql_migrations_pkey PRIMARY KEY (version);


--
-- Name: statement_lines statement_lines_pkey; Type: CONSTRAINT; Schema: ledger; Owner: -
--

ALTER TABLE ONLY ledger.statement_lines
    ADD CONSTRAINT statement_lines_pkey PRIMARY KEY (account_id, currency, line);


--
-- Name: system_balances system_balances_pkey; Type: CONSTRAINT; Schema: ledger; Owner: -
--

ALTER TABLE ONLY ledger.system_balances
    ADD CONSTRAINT system_balances_pkey PRIMARY KEY (system_account, currency);


--
-- Name: system_deltas system_deltas_pkey; Type: CONSTRAINT; Schema: ledger; Owner: -
--

ALTER TABLE ONLY ledger.system_deltas
    ADD CONSTRAINT system_deltas_pkey PRIMARY KEY (transaction_id, system_account, currency);


--
-- Name: beats beats_pkey; Type: CONSTRAINT; Schema: match_svc; Owner: -
--

ALTER TABLE ONLY match_svc.beats
    ADD CONSTRAINT beats_pkey PRIMARY KEY (id);


--
-- Name: challenges challenges_pkey; Type: CONSTRAINT; Schema: match_svc; Owner: -
--

ALTER TABLE ONLY match_svc.challenges
    ADD CONSTRAINT challenges_pkey PRIMARY KEY (id);


--
-- Name: migration_lock migration_lock_pkey; Type: CONSTRAINT; Schema: match_svc; Owner: -
--

ALTER TABLE ONLY match_svc.migration_lock
    ADD CONSTRAINT migration_lock_pkey PRIMARY KEY (id);


--
-- Name: outages outages_pkey; Type: CONSTRAINT; Schema: match_svc; Owner: -
--

ALTER TABLE ONLY match_svc.outages
    ADD CONSTRAINT outages_pkey PRIMARY KEY (from_ms);


--
-- Name: outbox outbox_pkey; Type: CONSTRAINT; Schema: match_svc; Owner: -
--

ALTER TABLE ONLY match_svc.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (errand_key);


--
-- Name: participant_sets participant_sets_pkey; Type: CONSTRAINT; Schema: match_svc; Owner: -
--

ALTER TABLE ONLY match_svc.participant_sets
    ADD CONSTRAINT participant_sets_pkey PRIMARY KEY (participant_id, set_id);


--
-- Name: participants participants_pkey; Type: CONSTRAINT; Schema: match_svc; Owner: -
--

ALTER TABLE ONLY match_svc.participants
    ADD CONSTRAINT participants_pkey PRIMARY KEY (id);


--
-- Name: pending_moves pending_moves_pkey; Type: CONSTRAINT; Schema: match_svc; Owner: -
--

ALTER TABLE ONLY match_svc.pending_moves
    ADD CONSTRAINT pending_moves_pkey PRIMARY KEY (set_id, game, ply, seat);


--
-- Name: requests requests_pkey; Type: CONSTRAINT; Schema: match_svc; Owner: -
--

ALTER TABLE ONLY match_svc.requests
    ADD CONSTRAINT requests_pkey PRIMARY KEY (actor_id, request_id);


--
-- Name: seaql_migrations seaql_migrations_pkey; Type: CONSTRAINT; Schema: match_svc; Owner: -
--

ALTER TABLE ONLY match_svc.seaql_migrations
    ADD CONSTRAINT seaql_migrations_pkey PRIMARY KEY (version);


--
-- Name: set_events set_events_pkey; Type: CONSTRAINT; Schema: match_svc; Owner: -
--

ALTER TABLE ONLY match_svc.set_events
    ADD CONSTRAINT set_events_pkey PRIMARY KEY (set_id, seq);


--
-- Name: set_states set_states_pkey; Type: CONSTRAINT; Schema: match_svc; Owner: -
--

ALTER TABLE ONLY match_svc.set_states
    ADD CONSTRAINT set_states_pkey PRIMARY KEY (set_id);


--
-- Name: sets sets_pkey; Type: CONSTRAINT; Schema: match_svc; Owner: -
--

ALTER TABLE ONLY match_svc.sets
    ADD CONSTRAINT sets_pkey PRIMARY KEY (id);


--
-- Name: signing_keys signing_keys_pkey; Type: CONSTRAINT; Schema: match_svc; Owner: -
--

ALTER TABLE ONLY match_svc.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (id);


--
-- Name: strikes strikes_pkey; Type: CONSTRAINT; Schema: match_svc; Owner: -
--

ALTER TABLE ONLY match_svc.strikes
    ADD CONSTRAINT strikes_pkey PRIMARY KEY (set_id, game);


--
-- Name: history history_pkey; Type: CONSTRAINT; Schema: rating; Owner: -
--

ALTER TABLE ONLY rating.history
    ADD CONSTRAINT history_pkey PRIMARY KEY (participant_id, game, set_id);


--
-- Name: migration_lock migration_lock_pkey; Type: CONSTRAINT; Schema: rating; Owner: -
--

ALTER TABLE ONLY rating.migration_lock
    ADD CONSTRAINT migration_lock_pkey PRIMARY KEY (id);


--
-- Name: practice practice_pkey; Type: CONSTRAINT; Schema: rating; Owner: -
--

ALTER TABLE ONLY rating.practice
    ADD CONSTRAINT practice_pkey PRIMARY KEY (player_id, game, board, level);


--
-- Name: seaql_migrations seaql_migrations_pkey; Type: CONSTRAINT; Schema: rating; Owner: -
--

ALTER TABLE ONLY rating.seaql_migrations
    ADD CONSTRAINT seaql_migrations_pkey PRIMARY KEY (version);


--
-- Name: sets sets_pkey; Type: CONSTRAINT; Schema: rating; Owner: -
--

ALTER TABLE ONLY rating.sets
    ADD CONSTRAINT sets_pkey PRIMARY KEY (set_id);


--
-- Name: standings standings_pkey; Type: CONSTRAINT; Schema: rating; Owner: -
--

ALTER TABLE ONLY rating.standings
    ADD CONSTRAINT standings_pkey PRIMARY KEY (game, participant_id);


--
-- Name: bots_by_owner; Type: INDEX; Schema: gateway; Owner: -
--

CREATE INDEX bots_by_owner ON gateway.bots USING btree (owner_id);


--
-- Name: keys_by_holder; Type: INDEX; Schema: gateway; Owner: -
--

CREATE INDEX keys_by_holder ON gateway.keys USING btree (holder_id);


--
-- Name: replays_by_age; Type: INDEX; Schema: gateway; Owner: -
--

CREATE INDEX replays_by_age ON gateway.replays USING btree (created_at_ms);


--
-- Name: a_set_ends_once; Type: INDEX; Schema: ledger; Owner: -
--

CREATE UNIQUE INDEX a_set_ends_once ON ledger.postings USING btree (ended_set_id) WHERE (ended_set_id IS NOT NULL);


--
-- Name: ended_holds; Type: INDEX; Schema: ledger; Owner: -
--

CREATE INDEX ended_holds ON ledger.holds USING btree (ended_by) WHERE (ended_by IS NOT NULL);


--
-- Name: open_holds; Type: INDEX; Schema: ledger; Owner: -
--

CREATE INDEX open_holds ON ledger.holds USING btree (account_id, currency) WHERE (state = 'open'::text);


--
-- Name: challenges_by_claim; Type: INDEX; Schema: match_svc; Owner: -
--

CREATE INDEX challenges_by_claim ON match_svc.challenges USING btree (claim_by);


--
-- Name: challenges_by_claim_time; Type: INDEX; Schema: match_svc; Owner: -
--

CREATE INDEX challenges_by_claim_time ON match_svc.challenges USING btree (claim_at_ms);


--
-- Name: challenges_by_creator; Type: INDEX; Schema: match_svc; Owner: -
--

CREATE INDEX challenges_by_creator ON match_svc.challenges USING btree (creator_id, status);


--
-- Name: challenges_by_game; Type: INDEX; Schema: match_svc; Owner: -
--

CREATE INDEX challenges_by_game ON match_svc.challenges USING btree (game, status, id);


--
-- Name: challenges_by_opponent; Type: INDEX; Schema: match_svc; Owner: -
--

CREATE INDEX challenges_by_opponent ON match_svc.challenges USING btree (opponent_id, status);


--
-- Name: challenges_by_status; Type: INDEX; Schema: match_svc; Owner: -
--

CREATE INDEX challenges_by_status ON match_svc.challenges USING btree (status, expires_at_ms);


--
-- Name: outbox_by_due; Type: INDEX; Schema: match_svc; Owner: -
--

CREATE INDEX outbox_by_due ON match_svc.outbox USING btree (due_at_ms);


--
-- Name: participant_sets_active; Type: INDEX; Schema: match_svc; Owner: -
--

CREATE INDEX participant_sets_active ON match_svc.participant_sets USING btree (participant_id, active, set_id);


--
-- Name: pending_moves_by_time; Type: INDEX; Schema: match_svc; Owner: -
--

CREATE INDEX pending_moves_by_time ON match_svc.pending_moves USING btree (received_ms);


--
-- Name: requests_by_subject; Type: INDEX; Schema: match_svc; Owner: -
--

CREATE INDEX requests_by_subject ON match_svc.requests USING btree (subject);


--
-- Name: requests_by_time; Type: INDEX; Schema: match_svc; Owner: -
--

CREATE INDEX requests_by_time ON match_svc.requests USING btree (created_at_ms);


--
-- Name: set_states_by_due; Type: INDEX; Schema: match_svc; Owner: -
--

CREATE INDEX set_states_by_due ON match_svc.set_states USING btree (due_at_ms);


--
-- Name: set_states_by_house; Type: INDEX; Schema: match_svc; Owner: -
--

CREATE INDEX set_states_by_house ON match_svc.set_states USING btree (house_due);


--
-- Name: sets_by_game; Type: INDEX; Schema: match_svc; Owner: -
--

CREATE INDEX sets_by_game ON match_svc.sets USING btree (game, status, id);


--
-- Name: sets_by_status; Type: INDEX; Schema: match_svc; Owner: -
--

CREATE INDEX sets_by_status ON match_svc.sets USING btree (status, id);


--
-- Name: strikes_by_participant; Type: INDEX; Schema: match_svc; Owner: -
--

CREATE INDEX strikes_by_participant ON match_svc.strikes USING btree (participant_id, at_ms);


--
-- Name: history_by_end; Type: INDEX; Schema: rating; Owner: -
--

CREATE INDEX history_by_end ON rating.history USING btree (participant_id, game, finished_at_ms, set_id);


--
-- Name: sets_by_end; Type: INDEX; Schema: rating; Owner: -
--

CREATE INDEX sets_by_end ON rating.sets USING btree (game, finished_at_ms, set_id) WHERE rated;


--
-- Name: sets_of_practice; Type: INDEX; Schema: rating; Owner: -
--

CREATE INDEX sets_of_practice ON rating.sets USING btree (practice_player, game, practice_board, practice_level, finished_at_ms, set_id) WHERE (practice_player IS NOT NULL);


--
-- Name: standings_of_participant; Type: INDEX; Schema: rating; Owner: -
--

CREATE INDEX standings_of_participant ON rating.standings USING btree (participant_id);


--
-- Name: standings_on_board; Type: INDEX; Schema: rating; Owner: -
--

CREATE INDEX standings_on_board ON rating.standings USING btree (game, rating DESC, participant_id) WHERE on_board;


--
-- Name: standings_touched; Type: INDEX; Schema: rating; Owner: -
--

CREATE INDEX standings_touched ON rating.standings USING btree (game, touched_at_ms, participant_id) WHERE on_board;


--
-- Name: accounts accounts_stay; Type: TRIGGER; Schema: ledger; Owner: -
--

CREATE TRIGGER accounts_stay BEFORE DELETE ON ledger.accounts FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();


--
-- Name: entries entries_stay; Type: TRIGGER; Schema: ledger; Owner: -
--

CREATE TRIGGER entries_stay BEFORE DELETE OR UPDATE ON ledger.entries FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();


--
-- Name: entries entries_stay_all; Type: TRIGGER; Schema: ledger; Owner: -
--

CREATE TRIGGER entries_stay_all BEFORE TRUNCATE ON ledger.entries FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();


--
-- Name: holds holds_end_once; Type: TRIGGER; Schema: ledger; Owner: -
--

CREATE TRIGGER holds_end_once BEFORE UPDATE ON ledger.holds FOR EACH ROW WHEN (((old.state <> 'open'::text) OR (new.hold_id <> old.hold_id) OR (new.account_id <> old.account_id) OR (new.currency <> old.currency) OR (new.amount_points <> old.amount_points) OR (new.subject <> old.subject) OR (new.participant_id <> old.participant_id) OR (new.state = 'void'::text))) EXECUTE FUNCTION ledger.refuse_change();


--
-- Name: holds holds_stay; Type: TRIGGER; Schema: ledger; Owner: -
--

CREATE TRIGGER holds_stay BEFORE DELETE ON ledger.holds FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();


--
-- Name: postings postings_stay; Type: TRIGGER; Schema: ledger; Owner: -
--

CREATE TRIGGER postings_stay BEFORE DELETE OR UPDATE ON ledger.postings FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();


--
-- Name: postings postings_stay_all; Type: TRIGGER; Schema: ledger; Owner: -
--

CREATE TRIGGER postings_stay_all BEFORE TRUNCATE ON ledger.postings FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();


--
-- Name: statement_lines statement_lines_stay; Type: TRIGGER; Schema: ledger; Owner: -
--

CREATE TRIGGER statement_lines_stay BEFORE DELETE OR UPDATE ON ledger.statement_lines FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();


--
-- Name: statement_lines statement_lines_stay_all; Type: TRIGGER; Schema: ledger; Owner: -
--

CREATE TRIGGER statement_lines_stay_all BEFORE TRUNCATE ON ledger.statement_lines FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();


--
-- Name: holds holds_account_id_currency_fkey; Type: FK CONSTRAINT; Schema: ledger; Owner: -
--

ALTER TABLE ONLY ledger.holds
    ADD CONSTRAINT holds_account_id_currency_fkey FOREIGN KEY (account_id, currency) REFERENCES ledger.accounts(account_id, currency);


--
-- Name: statement_lines statement_lines_account_id_currency_fkey; Type: FK CONSTRAINT; Schema: ledger; Owner: -
--

ALTER TABLE ONLY ledger.statement_lines
    ADD CONSTRAINT statement_lines_account_id_currency_fkey FOREIGN KEY (account_id, currency) REFERENCES ledger.accounts(account_id, currency);


--
-- PostgreSQL database dump complete
--


