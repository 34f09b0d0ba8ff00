-- What a ledger without batches does: one interactive transaction for each posting, each with the fee row locked.
-- A script run is one set: two holds and a settlement, with the same rows, constraints and triggers as the ledger's own.
-- Lines that end in "fee row" are left out of the holds in the kinder variant. Run by `benches/ledger.rs`.
\set a random(1, 999)
\set b random(:a + 1, 1000)
\set n random(1, 9000000000000000)

BEGIN;
SELECT points FROM system_balances WHERE system_account = 'fee' AND currency = 'FEE' FOR UPDATE; -- fee row
SELECT fingerprint, answer FROM postings WHERE request_id = 'h' || :n || 'a';
SELECT posted_points, held_points FROM accounts WHERE account_id = 'owner' || :a AND currency = 'FEE' FOR UPDATE;
INSERT INTO postings VALUES ('h' || :n || 'a', 'hold', repeat('0', 64), repeat('x', 160), 'txn_h' || :n || 'a', NULL, 0);
UPDATE accounts SET held_points = held_points + 100, line_count = line_count + 1 WHERE account_id = 'owner' || :a AND currency = 'FEE';
INSERT INTO holds VALUES ('h' || :n || 'a', 'open', 'owner' || :a, 'FEE', 100, 'chal_1', 'bot_1', NULL);
INSERT INTO entries VALUES ('txn_h' || :n || 'a', 0, 'available', 'owner' || :a, 'escrow', 'owner' || :a, 'FEE', 100);
INSERT INTO statement_lines SELECT account_id, currency, line_count, 'txn_h' || :n || 'a', 'hold', 0, 100, 0, posted_points, held_points, 'chal_1', 'bot_1', 0 FROM accounts WHERE account_id = 'owner' || :a AND currency = 'FEE';
COMMIT;

BEGIN;
SELECT points FROM system_balances WHERE system_account = 'fee' AND currency = 'FEE' FOR UPDATE; -- fee row
SELECT fingerprint, answer FROM postings WHERE request_id = 'h' || :n || 'b';
SELECT posted_points, held_points FROM accounts WHERE account_id = 'owner' || :b AND currency = 'FEE' FOR UPDATE;
INSERT INTO postings VALUES ('h' || :n || 'b', 'hold', repeat('0', 64), repeat('x', 160), 'txn_h' || :n || 'b', NULL, 0);
UPDATE accounts SET held_points = held_points + 100, line_count = line_count + 1 WHERE account_id = 'owner' || :b AND currency = 'FEE';
INSERT INTO holds VALUES ('h' || :n || 'b', 'open', 'owner' || :b, 'FEE', 100, 'chal_1', 'bot_2', NULL);
INSERT INTO entries VALUES ('txn_h' || :n || 'b', 0, 'available', 'owner' || :b, 'escrow', 'owner' || :b, 'FEE', 100);
INSERT INTO statement_lines SELECT account_id, currency, line_count, 'txn_h' || :n || 'b', 'hold', 0, 100, 0, posted_points, held_points, 'chal_1', 'bot_2', 0 FROM accounts WHERE account_id = 'owner' || :b AND currency = 'FEE';
COMMIT;

BEGIN;
SELECT points FROM system_balances WHERE system_account = 'fee' AND currency = 'FEE' FOR UPDATE;
SELECT fingerprint, answer FROM postings WHERE request_id = 's' || :n;
SELECT state, amount_points FROM holds WHERE hold_id IN ('h' || :n || 'a', 'h' || :n || 'b') ORDER BY hold_id FOR UPDATE;
SELECT posted_points, held_points FROM accounts WHERE account_id IN ('owner' || :a, 'owner' || :b) AND currency = 'FEE' ORDER BY account_id FOR UPDATE;
INSERT INTO postings VALUES ('s' || :n, 'settle', repeat('0', 64), repeat('x', 100), 'txn_s' || :n, 'set_' || :n, 0);
UPDATE holds SET state = 'settled', ended_by = 'txn_s' || :n WHERE hold_id IN ('h' || :n || 'a', 'h' || :n || 'b');
UPDATE accounts SET posted_points = posted_points - 100, held_points = held_points - 100, line_count = line_count + 1 WHERE account_id = 'owner' || :a AND currency = 'FEE';
UPDATE accounts SET posted_points = posted_points + 98, held_points = held_points - 100, line_count = line_count + 1 WHERE account_id = 'owner' || :b AND currency = 'FEE';
UPDATE system_balances SET points = points + 2 WHERE system_account = 'fee' AND currency = 'FEE';
INSERT INTO entries VALUES
    ('txn_s' || :n, 0, 'escrow', 'owner' || :b, 'available', 'owner' || :b, 'FEE', 100),
    ('txn_s' || :n, 1, 'escrow', 'owner' || :a, 'available', 'owner' || :b, 'FEE', 98),
    ('txn_s' || :n, 2, 'escrow', 'owner' || :a, 'fee', NULL, 'FEE', 2);
INSERT INTO statement_lines SELECT account_id, currency, line_count, 'txn_s' || :n, 'loss', -100, -100, 0, posted_points, held_points, 'set_' || :n, 'bot_1', 0 FROM accounts WHERE account_id = 'owner' || :a AND currency = 'FEE';
INSERT INTO statement_lines SELECT account_id, currency, line_count, 'txn_s' || :n, 'win', 98, -100, 2, posted_points, held_points, 'set_' || :n, 'bot_2', 0 FROM accounts WHERE account_id = 'owner' || :b AND currency = 'FEE';
COMMIT;
