-- Corrects charges once the real usage is known, one after the other.
-- KEYS    for each settlement: its ring, and the index of the limit's groups
-- ARGV    for each settlement: index, delta, and what `open` reads
-- Result  nothing
--
-- A delta below 0 is given back to the bucket that was charged, and to no other. Above 0 it is added to the current
-- bucket, beyond the limit if need be.

local ARGUMENTS = 7

local function refund(key, index, weight)
  local state = redis.call('HMGET', key, 's', 't', index % FIELDS)
  local sum, oldest, held = tonumber(state[1] or 0), tonumber(state[2] or 0), tonumber(state[3] or 0)
  -- The field may by now belong to a bucket that is FIELDS later.
  if held == 0 or index < oldest or index >= oldest + FIELDS then return end
  local given = math.min(held, weight)
  if held > given then
    redis.call('HSET', key, 's', sum - given, index % FIELDS, held - given)
    return
  end
  redis.call('HDEL', key, index % FIELDS)
  if index == oldest and sum > given then
    local ring = { key = key, oldest = oldest }
    walk(ring)
    oldest = ring.indexes[1]
  end
  redis.call('HSET', key, 's', sum - given, 't', oldest)
end

for n = 1, #KEYS / 2 do
  local at = (n - 1) * ARGUMENTS + 1
  local index, delta = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  if delta < 0 then
    refund(KEYS[2 * n - 1], index, -delta)
  else
    local ring = open(KEYS[2 * n - 1], KEYS[2 * n], at + 2)
    add(ring, delta)
    save(ring)
  end
end
