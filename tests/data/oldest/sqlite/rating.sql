PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS "seaql_migrations" ( "version" varchar NOT NULL PRIMARY KEY, "applied_at" integer NOT NULL );
INSERT INTO seaql_migrations VALUES('m0001_ratings',1796014601);
CREATE TABLE sets (
        set_id TEXT NOT NULL PRIMARY KEY,
        game TEXT NOT NULL,
        rated BOOLEAN NOT NULL,
        finished_at_ms BIGINT NOT NULL,
        practice_player TEXT,
        practice_board TEXT,
        practice_level TEXT,
        content TEXT NOT NULL,
        answer TEXT
    );
INSERT INTO sets VALUES('set_01M8ND0BEH1VTGTW1KM4DK0M1F','breakthrough',1,1796014637514,NULL,NULL,NULL,'{"set":"set_01M8ND0BEH1VTGTW1KM4DK0M1F","game":"breakthrough","rated":true,"creator":{"id":"bot_01M8ND04F3MW89EV0VTDR7W3G8","name":"ada-bot","owner_id":"player_01M8ND01X7FR88JBYZC0GV8GDK","owner_name":"ada"},"acceptor":{"id":"bot_01M8ND086GJ61CFARZ2TT1B1DC","name":"bob-bot","owner_id":"player_01M8ND05KKAF7D3TW57R1HFHP1","owner_name":"bob"},"outcome":"AcceptorWon","lost_points":30,"won_points":30,"finished_at_ms":1796014637514,"practice":null}','{"creator":{"rating_bits":4652278620399017907,"deviation_bits":4643814961413559650,"volatility_bits":4588807685536569241,"wins":0,"draws":0,"losses":1,"won_points":0,"lost_points":30,"last":[1796014637514,"set_01M8ND0BEH1VTGTW1KM4DK0M1F"]},"acceptor":{"rating_bits":4653706322120335436,"deviation_bits":4643814961413559650,"volatility_bits":4588807685536569241,"wins":1,"draws":0,"losses":0,"won_points":30,"lost_points":0,"last":[1796014637514,"set_01M8ND0BEH1VTGTW1KM4DK0M1F"]}}');
CREATE TABLE standings (
        game TEXT NOT NULL,
        participant_id TEXT NOT NULL,
        on_board BOOLEAN NOT NULL,
        name TEXT NOT NULL,
        owner_id TEXT NOT NULL,
        owner_name TEXT NOT NULL,
        rating DOUBLE PRECISION NOT NULL,
        deviation DOUBLE PRECISION NOT NULL CHECK (deviation > 0 AND deviation <= 350),
        volatility DOUBLE PRECISION NOT NULL CHECK (volatility > 0 AND volatility < 1),
        wins BIGINT NOT NULL CHECK (wins >= 0),
        draws BIGINT NOT NULL CHECK (draws >= 0),
        losses BIGINT NOT NULL CHECK (losses >= 0),
        won_points BIGINT NOT NULL CHECK (won_points >= 0),
        lost_points BIGINT NOT NULL CHECK (lost_points >= 0),
        last_finished_at_ms BIGINT,
        last_set_id TEXT,
        peaks TEXT NOT NULL,
        version BIGINT NOT NULL,
        touched_at_ms BIGINT NOT NULL,
        PRIMARY KEY (game, participant_id)
    );
INSERT INTO standings VALUES('breakthrough','bot_01M8ND04F3MW89EV0VTDR7W3G8',1,'ada-bot','player_01M8ND01X7FR88JBYZC0GV8GDK','ada',1037.6891060937020938,290.31896371798040945,0.059999675372338141798,0,0,1,0,30,1796014637514,'set_01M8ND0BEH1VTGTW1KM4DK0M1F','[]',1,1796014638757);
INSERT INTO standings VALUES('breakthrough','bot_01M8ND086GJ61CFARZ2TT1B1DC',1,'bob-bot','player_01M8ND05KKAF7D3TW57R1HFHP1','bob',1362.3108939062976787,290.31896371798040945,0.059999675372338141798,1,0,0,30,0,1796014637514,'set_01M8ND0BEH1VTGTW1KM4DK0M1F','[]',1,1796014638757);
CREATE TABLE history (
        participant_id TEXT NOT NULL,
        game TEXT NOT NULL,
        set_id TEXT NOT NULL,
        finished_at_ms BIGINT NOT NULL,
        rating DOUBLE PRECISION NOT NULL,
        deviation DOUBLE PRECISION NOT NULL,
        volatility DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (participant_id, game, set_id)
    );
INSERT INTO history VALUES('bot_01M8ND04F3MW89EV0VTDR7W3G8','breakthrough','set_01M8ND0BEH1VTGTW1KM4DK0M1F',1796014637514,1037.6891060937020938,290.31896371798040945,0.059999675372338141798);
INSERT INTO history VALUES('bot_01M8ND086GJ61CFARZ2TT1B1DC','breakthrough','set_01M8ND0BEH1VTGTW1KM4DK0M1F',1796014637514,1362.3108939062976787,290.31896371798040945,0.059999675372338141798);
CREATE TABLE practice (
        player_id TEXT NOT NULL,
        game TEXT NOT NULL,
        board TEXT NOT NULL,
        level TEXT NOT NULL,
        wins BIGINT NOT NULL CHECK (wins >= 0),
        losses BIGINT NOT NULL CHECK (losses >= 0),
        current_streak BIGINT NOT NULL CHECK (current_streak >= 0),
        best_streak BIGINT NOT NULL CHECK (best_streak >= current_streak),
        last_finished_at_ms BIGINT,
        last_set_id TEXT,
        PRIMARY KEY (player_id, game, board, level)
    );
CREATE INDEX sets_by_end ON sets (game, finished_at_ms, set_id) WHERE rated;
CREATE INDEX sets_of_practice
        ON sets (practice_player, game, practice_board, practice_level, finished_at_ms, set_id)
        WHERE practice_player IS NOT NULL;
CREATE INDEX standings_on_board ON standings (game, rating DESC, participant_id) WHERE on_board;
CREATE INDEX standings_of_participant ON standings (participant_id);
CREATE INDEX standings_touched ON standings (game, touched_at_ms, participant_id) WHERE on_board;
CREATE INDEX history_by_end ON history (participant_id, game, finished_at_ms, set_id);
COMMIT;
