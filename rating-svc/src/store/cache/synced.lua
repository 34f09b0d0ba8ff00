-- Notes the moment that the board is in step with, unless a later one is noted. KEYS: rows. ARGV: the moment.
local ready = redis.call('HGET', KEYS[1], ':ready')
if not ready then return 0 end
if tonumber(ready) < tonumber(ARGV[1]) then redis.call('HSET', KEYS[1], ':ready', ARGV[1]) end
return 1
