-- The ceiling: the same rows as 64 sets make (128 holds, then 64 settlements), each step in one transaction of
-- set-based statements, with nothing to decide and nobody to answer. Run by `benches/ledger.rs`.
\set base random(0, 999)
\set n random(1, 9000000000000000)

BEGIN;
SELECT request_id, fingerprint, answer FROM postings WHERE request_id = ANY(ARRAY(SELECT 'h' || :n || '_' || i FROM generate_series(0, 127) AS i));
SELECT account_id, posted_points, held_points, line_count FROM accounts WHERE account_id = ANY(ARRAY(SELECT 'owner' || ((:base::int + i) % 1000 + 1) FROM generate_series(0, 127) AS i)) ORDER BY account_id, currency FOR UPDATE;
INSERT INTO postings SELECT 'h' || :n || '_' || i, 'hold', repeat('0', 64), repeat('x', 160), 'txn_h' || :n || '_' || i, NULL, 0 FROM generate_series(0, 127) AS i;
UPDATE accounts SET held_points = held_points + 100, line_count = line_count + 1 WHERE currency = 'FEE' AND account_id = ANY(ARRAY(SELECT 'owner' || ((:base::int + i) % 1000 + 1) FROM generate_series(0, 127) AS i));
INSERT INTO holds SELECT 'h' || :n || '_' || i, 'open', 'owner' || ((:base::int + i) % 1000 + 1), 'FEE', 100, 'chal_1', 'bot_1', NULL FROM generate_series(0, 127) AS i;
INSERT INTO entries SELECT 'txn_h' || :n || '_' || i, 0, 'available', 'owner' || ((:base::int + i) % 1000 + 1), 'escrow', 'owner' || ((:base::int + i) % 1000 + 1), 'FEE', 100 FROM generate_series(0, 127) AS i;
INSERT INTO statement_lines SELECT account_id, currency, line_count, 'txn_h' || :n || '_' || i, 'hold', 0, 100, 0, posted_points, held_points, 'chal_1', 'bot_1', 0 FROM generate_series(0, 127) AS i JOIN accounts ON account_id = 'owner' || ((:base::int + i) % 1000 + 1) AND currency = 'FEE';
COMMIT;

BEGIN;
SELECT request_id, fingerprint, answer FROM postings WHERE request_id = ANY(ARRAY(SELECT 's' || :n || '_' || i FROM generate_series(0, 63) AS i));
SELECT hold_id, state, account_id, amount_points FROM holds WHERE hold_id = ANY(ARRAY(SELECT 'h' || :n || '_' || i FROM generate_series(0, 127) AS i)) ORDER BY hold_id FOR UPDATE;
SELECT account_id, posted_points, held_points, line_count FROM accounts WHERE account_id = ANY(ARRAY(SELECT 'owner' || ((:base::int + i) % 1000 + 1) FROM generate_series(0, 127) AS i)) ORDER BY account_id, currency FOR UPDATE;
INSERT INTO postings SELECT 's' || :n || '_' || i, 'settle', repeat('0', 64), repeat('x', 100), 'txn_s' || :n || '_' || i, 'set_' || :n || '_' || i, 0 FROM generate_series(0, 63) AS i;
UPDATE holds SET state = 'settled', ended_by = 'txn_s' || :n || '_' || (substring(hold_id FROM '_(.*)$')::int / 2) WHERE hold_id = ANY(ARRAY(SELECT 'h' || :n || '_' || i FROM generate_series(0, 127) AS i));
UPDATE accounts SET posted_points = posted_points - 100, held_points = held_points - 100, line_count = line_count + 1 WHERE currency = 'FEE' AND account_id = ANY(ARRAY(SELECT 'owner' || ((:base::int + 2 * i) % 1000 + 1) FROM generate_series(0, 63) AS i));
UPDATE accounts SET posted_points = posted_points + 98, held_points = held_points - 100, line_count = line_count + 1 WHERE currency = 'FEE' AND account_id = ANY(ARRAY(SELECT 'owner' || ((:base::int + 2 * i + 1) % 1000 + 1) FROM generate_series(0, 63) AS i));
INSERT INTO entries SELECT 'txn_s' || :n || '_' || i, 0, 'escrow', 'owner' || ((:base::int + 2 * i + 1) % 1000 + 1), 'available', 'owner' || ((:base::int + 2 * i + 1) % 1000 + 1), 'FEE', 100 FROM generate_series(0, 63) AS i;
INSERT INTO entries SELECT 'txn_s' || :n || '_' || i, 1, 'escrow', 'owner' || ((:base::int + 2 * i) % 1000 + 1), 'available', 'owner' || ((:base::int + 2 * i + 1) % 1000 + 1), 'FEE', 98 FROM generate_series(0, 63) AS i;
INSERT INTO entries SELECT 'txn_s' || :n || '_' || i, 2, 'escrow', 'owner' || ((:base::int + 2 * i) % 1000 + 1), 'fee', NULL, 'FEE', 2 FROM generate_series(0, 63) AS i;
INSERT INTO system_deltas VALUES ('txn_s' || :n || '_0', 'fee', 'FEE', 128);
INSERT INTO statement_lines SELECT account_id, currency, line_count, 'txn_s' || :n || '_' || i, 'loss', -100, -100, 0, posted_points, held_points, 'set_1', 'bot_1', 0 FROM generate_series(0, 63) AS i JOIN accounts ON account_id = 'owner' || ((:base::int + 2 * i) % 1000 + 1) AND currency = 'FEE';
INSERT INTO statement_lines SELECT account_id, currency, line_count, 'txn_s' || :n || '_' || i, 'win', 98, -100, 2, posted_points, held_points, 'set_1', 'bot_2', 0 FROM generate_series(0, 63) AS i JOIN accounts ON account_id = 'owner' || ((:base::int + 2 * i + 1) % 1000 + 1) AND currency = 'FEE';
COMMIT;
