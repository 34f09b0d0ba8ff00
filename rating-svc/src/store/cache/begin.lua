-- Drops the board and begins a load. KEYS: rows, order. ARGV: the load's token.
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('HSET', KEYS[1], ':loading', ARGV[1])
return 1
