-- The ring of `../../ring/ring.ts` for Redis. This text stands in front of each of the other scripts, which are one with it.
--
-- A ring is one hash. `s`: sum of all buckets. `h`: bucket of the latest time that the ring has seen. `t`: index of its
-- oldest bucket, meaningless while `s` is 0. Then one field for each bucket that is not empty: its index modulo FIELDS,
-- which takes 3 bytes, with its weight. All buckets of a ring lie less than FIELDS apart: whoever writes prunes first.
-- `g`: tells a ring from one that was there before, once weight of it was leased: `lease.lua`.
--
-- The groups of a limit are one sorted set of `<group> <label>`, scored with the time in milliseconds until which they
-- are kept.
--
-- Numbers go to Redis as numbers and never through `..`, which would cut them to 14 digits.

local FIELDS = 4096
-- What a ring counts at most: `MOST_COUNTED` of `../../ring/ring.ts`.
local MOST = 2 ^ 53 - 100

local call, floor = redis.call, math.floor

-- The clock of the server is the only one: milliseconds since 1970.
local time = call('TIME')
local now = time[1] * 1000 + floor(time[2] / 1000)

-- Index under which a weight of this bucket is written.
local function written(bucket, grain)
  return bucket - bucket % grain + grain - 1
end

-- Milliseconds until a bucket is no longer counted.
local function until_gone(ring, index)
  return (index + ring.buckets + 1) * ring.bucket_ms - now
end

-- Reads all buckets: `indexes` in ascending order, and `weights` by index.
local function walk(ring)
  local flat = call('HGETALL', ring.key)
  local indexes, weights, sorted = {}, {}, true
  for at = 1, #flat, 2 do
    local field = tonumber(flat[at])
    if field then
      local index = ring.oldest + (field - ring.oldest) % FIELDS
      sorted = sorted and (#indexes == 0 or indexes[#indexes] < index)
      indexes[#indexes + 1] = index
      weights[index] = tonumber(flat[at + 1])
    end
  end
  if not sorted then table.sort(indexes) end
  ring.indexes, ring.weights = indexes, weights
end

-- Forgets what has left the window, in `ring` alone: `save` makes it last.
local function prune(ring)
  local first = ring.bucket - ring.buckets
  if ring.sum == 0 or ring.oldest >= first then return end
  walk(ring)
  local live, dead = {}, {}
  for _, index in ipairs(ring.indexes) do
    if index < first then
      dead[#dead + 1] = index % FIELDS
      ring.sum = ring.sum - ring.weights[index]
    else
      live[#live + 1] = index
    end
  end
  ring.indexes, ring.dead, ring.oldest = live, dead, live[1] or ring.oldest
end

-- Reads a ring as it is now. From `at` on ARGV has bucketMs, buckets, grain, keepMs and member.
local function open(key, index_key, at)
  local bucket_ms, grain = tonumber(ARGV[at]), tonumber(ARGV[at + 2])
  local current = floor(now / bucket_ms)
  local index = written(current, grain)
  local state = call('HMGET', key, 's', 'h', 't', index % FIELDS)
  local newest, oldest = tonumber(state[2] or 0), tonumber(state[3] or 0)
  local ring = {
    key = key,
    index_key = index_key,
    bucket_ms = bucket_ms,
    buckets = tonumber(ARGV[at + 1]),
    keep_ms = ARGV[at + 3],
    member = ARGV[at + 4],
    exists = state[1] ~= false,
    sum = tonumber(state[1] or 0),
    -- As it is stored.
    newest = newest,
    stored_oldest = oldest,
    oldest = oldest,
    bucket = current,
    -- The bucket that would be written, and what it holds.
    index = index,
    held = tonumber(state[4] or 0),
  }
  -- The time of a ring never steps back.
  if newest > current then
    ring.bucket, ring.index = newest, written(newest, grain)
    if ring.index ~= index then ring.held = tonumber(call('HGET', key, ring.index % FIELDS) or 0) end
  end
  prune(ring)
  if ring.weights then ring.held = ring.weights[ring.index] or 0 end
  return ring
end

-- Adds a weight above 0 to the current bucket, in `ring` alone. What would go beyond MOST is not counted.
local function add(ring, weight)
  weight = math.min(weight, MOST - ring.sum)
  if not (weight > 0) then return end
  ring.oldest = ring.sum == 0 and ring.index or math.min(ring.oldest, ring.index)
  ring.sum = ring.sum + weight
  ring.total = ring.held + weight
end

-- Notes the group in the index of its limit: when its ring is new, and then once in each window, for as long as anything
-- can last that the ring takes in this window.
local function note(ring)
  local window = floor(ring.bucket / ring.buckets)
  if ring.exists and window == floor(ring.newest / ring.buckets) then return end
  local ends = (window + 1) * ring.buckets * ring.bucket_ms + ring.keep_ms
  call('ZREMRANGEBYSCORE', ring.index_key, 0, now)
  call('ZADD', ring.index_key, ends, ring.member)
  call('PEXPIREAT', ring.index_key, ends)
end

-- Makes last what `prune` and `add` did. Only `add` makes a ring that was not there.
local function save(ring)
  local stays = ring.exists and ring.bucket == ring.newest and ring.oldest == ring.stored_oldest
  if not ring.total and (stays or not ring.exists) then return end
  if ring.dead and #ring.dead > 0 then call('HDEL', ring.key, unpack(ring.dead)) end
  local field = ring.index % FIELDS
  if not ring.total then
    call('HSET', ring.key, 's', ring.sum, 'h', ring.bucket, 't', ring.oldest)
  elseif stays then
    call('HSET', ring.key, 's', ring.sum, field, ring.total)
  else
    call('HSET', ring.key, 's', ring.sum, 'h', ring.bucket, 't', ring.oldest, field, ring.total)
  end
  if ring.total and ring.held == 0 then
    -- A second longer than any bucket that is written at this time is counted, whatever its grain, also ahead of now.
    call('PEXPIREAT', ring.key, ring.bucket * ring.bucket_ms + ring.keep_ms)
  end
  if not stays then note(ring) end
  ring.exists, ring.newest, ring.stored_oldest, ring.dead, ring.total = true, ring.bucket, ring.oldest, nil, nil
end

-- Milliseconds until the oldest bucket leaves, and until all have left.
local function release_and_reset(ring)
  if ring.sum == 0 then return 0, 0 end
  if not ring.weights then walk(ring) end
  return until_gone(ring, ring.oldest), until_gone(ring, ring.indexes[#ring.indexes])
end

-- Gives back what was charged and not used, to the bucket that was charged and to no other. @returns what was given
local function give_back(key, index, weight)
  local state = call('HMGET', key, 's', 't', index % FIELDS)
  local sum, oldest, held = tonumber(state[1] or 0), tonumber(state[2] or 0), tonumber(state[3] or 0)
  -- The field may by now belong to a bucket that is FIELDS later.
  if held == 0 or index < oldest or index >= oldest + FIELDS then return 0 end
  local given = math.min(held, weight)
  if held > given then
    call('HSET', key, 's', sum - given, index % FIELDS, held - given)
    return given
  end
  call('HDEL', key, index % FIELDS)
  if index == oldest and sum > given then
    local ring = { key = key, oldest = oldest }
    walk(ring)
    oldest = ring.indexes[1]
  end
  call('HSET', key, 's', sum - given, 't', oldest)
  return given
end
