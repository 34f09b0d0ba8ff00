-- Ends a load: from now on the board is read. KEYS: rows. ARGV: the load's token, the moment that it is in step with.
if redis.call('HGET', KEYS[1], ':loading') ~= ARGV[1] then return 0 end
redis.call('HDEL', KEYS[1], ':loading')
redis.call('HSET', KEYS[1], ':ready', ARGV[2])
return 1
