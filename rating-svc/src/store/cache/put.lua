-- Puts entries into the board, each unless a newer copy is there.
-- KEYS: rows, order. ARGV: the token of a load or '', then id, version, member, entry for each.
-- Answers -1 when the board is not kept (or the load was overtaken), else how many were put.
local rows, order, token = KEYS[1], KEYS[2], ARGV[1]
local loading = redis.call('HGET', rows, ':loading')
if token ~= '' then
  if loading ~= token then return -1 end
elseif not loading and redis.call('HEXISTS', rows, ':ready') == 0 then
  return -1
end
local count = 0
for i = 2, #ARGV, 4 do
  local id, version, member, entry = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  local old = redis.call('HGET', rows, id)
  local known, place = nil, nil
  if old then known, place = string.match(old, '^(%d+) (%S+) ') end
  if not known or tonumber(known) < tonumber(version) then
    if place then redis.call('ZREM', order, place) end
    redis.call('ZADD', order, 0, member)
    redis.call('HSET', rows, id, version .. ' ' .. member .. ' ' .. entry)
    count = count + 1
  end
end
return count
