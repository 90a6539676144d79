-- Charges weight ahead of its use, and takes back what was not used: `lease` of `../../ring/ring.ts`, for many rings.
-- KEYS    for each part: its ring, and the index of the limit's groups
-- ARGV    for each part: wanted, 0 to give back only; limit; share; in hand; index and weight of what was leased last, or of
--         what is given back; length of the lease in milliseconds; generation; and what `open` reads
-- Result  for each part: granted, or given back; index, used, in milliseconds until the oldest bucket leaves and until the
--         index does; generation
--
-- A generation is the life of a ring on one server. What a process leased in another one is not counted in this: it is
-- neither extended nor given back, and the process drops it.

local ARGUMENTS = 13
local LEAST = 2

-- Names the server for as long as it runs. A login that may not ask goes without.
local told, facts = pcall(call, 'INFO', 'server')
local run = told and string.match(facts, 'run_id:(%w+)') or ''

local function generation_of(mark)
  return run .. ':' .. mark
end

-- @returns what the reply says of the ring
local function grant(ring, at, is_known)
  local wanted, limit = tonumber(ARGV[at]), math.min(tonumber(ARGV[at + 1]), MOST)
  local share, in_hand = tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local last, kept, lease_ms = tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5]), tonumber(ARGV[at + 6])
  local grain = tonumber(ARGV[at + 10])
  local index = written(math.max(floor((now + lease_ms) / ring.bucket_ms), ring.bucket), grain)
  if not is_known then in_hand, kept = 0, 0 end
  if index ~= last then kept = 0 end
  local most = floor((limit - ring.sum + in_hand) / share) - in_hand
  local granted = math.max(0, math.min(wanted - kept, most))
  if granted + kept < LEAST or ring.sum > limit then return 0, 0, ring.sum, 0, 0 end
  if index ~= ring.index then
    ring.index = index
    -- What has left may share the field, where it was read but is not removed yet.
    if ring.weights then
      ring.held = ring.weights[index] or 0
    else
      ring.held = tonumber(call('HGET', ring.key, index % FIELDS) or 0)
    end
  end
  add(ring, granted)
  return granted, index, ring.sum, ring.sum == 0 and 0 or until_gone(ring, ring.oldest), until_gone(ring, index)
end

local reply = {}
for n = 1, #KEYS / 2 do
  local key, at = KEYS[2 * n - 1], (n - 1) * ARGUMENTS + 1
  local mark = call('HGET', key, 'g')
  local is_known = mark and generation_of(mark) == ARGV[at + 7]
  if tonumber(ARGV[at]) > 0 then
    local ring = open(key, KEYS[2 * n], at + 8)
    local granted, index, used, release, reset = grant(ring, at, is_known)
    save(ring)
    if index > 0 and not mark then
      mark = string.format('%.0f', time[1] * 1000000 + time[2])
      call('HSET', key, 'g', mark)
    end
    for _, value in ipairs({ granted, index, used, release, reset, mark and generation_of(mark) or '' }) do
      reply[#reply + 1] = value
    end
  else
    local given = is_known and give_back(key, tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5])) or 0
    for _, value in ipairs({ given, 0, 0, 0, 0, ARGV[at + 7] }) do reply[#reply + 1] = value end
  end
end
return reply
