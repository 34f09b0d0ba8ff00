-- Reads the best entries. KEYS: rows, order. ARGV: how many.
-- Answers the moment that the board is in step with and the entries; nothing when the board is not whole: not loaded, or one
-- of its keys was dropped.
local rows, order = KEYS[1], KEYS[2]
local ready = redis.call('HGET', rows, ':ready')
if not ready or redis.call('HLEN', rows) - 1 ~= redis.call('ZCARD', order) then return {} end
local members = redis.call('ZRANGE', order, 0, tonumber(ARGV[1]) - 1)
local answer = { ready }
for i, member in ipairs(members) do
  local row = redis.call('HGET', rows, string.sub(member, 17))
  local entry = row and string.match(row, '^%d+ %S+ (.*)$')
  if not entry then return {} end
  answer[i + 1] = entry
end
return answer
