-- Charges all rings of a call and holds back what it claims of budgets, or does nothing; and of several calls one after
-- the other.
-- KEYS    for each ring: itself, and the index of the limit's groups; then counts of budgets
-- ARGV    1: '1' to change nothing, else '0'; 2: number of rings; 3: id of the process; 4: two lists of numbers as JSON,
--         which costs less than an argument for each: for each count what `open_count` reads; and for each call the number
--         of its charges and of its claims, for each charge: limit, weight, shadow (1 or 0), number of its ring, from 1; and
--         for each claim: limit, weight, number of its count, from 1, negative for a shadow; then for each ring what `open`
--         reads
-- Result  for each call: 1 when admitted, else 0; then for each charge: fits (0 later, 1 yes, 2 never), used, index, and in
--         milliseconds until its oldest bucket leaves, until all have left, until the weight fits; then for each claim:
--         fits (0 or 1), and used, without the call.
--         Of a call that failed a text that says why, as an error would: the others are not its fault.

local LATER, YES, NEVER = 0, 1, 2
local OF_RING, OF_COUNT, OF_CHARGE, OF_CLAIM = 5, 3, 4, 3
local FIRST_RING = 5
-- Life of a count that is new: `tell.lua` knows how long its period lasts, and says it within a second.
local NEW_MS = 3600000

local writes, rings, process = ARGV[1] ~= '1', tonumber(ARGV[2]), ARGV[3]
local told, asked = unpack(cjson.decode(ARGV[4]))
-- Those that were read.
local counts = {}

-- Milliseconds until no more than `room` is counted, if nothing is added.
local function time_to_fit(ring, room)
  local counted = ring.sum
  for _, index in ipairs(ring.indexes) do
    counted = counted - ring.weights[index]
    if counted <= room then return until_gone(ring, index) end
  end
  return 0
end

local function count_at(place)
  local count = counts[place]
  if not count then
    count = open_count(KEYS[2 * rings + place], process, told, (place - 1) * OF_COUNT)
    counts[place] = count
  end
  return count
end

-- The claims of a call, and whether one of them refuses it.
local function judge_claims(first, number)
  local claims, admitted = {}, true
  for n = 1, number do
    local at = first + (n - 1) * OF_CLAIM
    local limit, weight, place = asked[at], asked[at + 1], asked[at + 2]
    local shadow = place < 0
    local count = count_at(shadow and -place or place)
    local used = count.total + count.others + count.own
    -- Without weight a call passes when anything is left.
    local fits = weight == 0 and used < limit or weight > 0 and used + weight <= limit
    if not fits and not shadow then admitted = false end
    claims[n] = { count = count, used = used, weight = shadow and 0 or weight, fits = fits }
  end
  return claims, admitted
end

-- The reply to the call whose charges begin there in what is asked.
local function decide(first, number, claimed)
  local claims, admitted = judge_claims(first + number * OF_CHARGE, claimed)
  local charges = {}
  for n = 1, number do
    local at = first + (n - 1) * OF_CHARGE
    local limit, place = asked[at], asked[at + 3]
    local ring = open(KEYS[2 * place - 1], KEYS[2 * place], FIRST_RING + (place - 1) * OF_RING)
    local charge = { ring = ring, weight = asked[at + 1], fits = LATER }
    -- A weight of 0 asks whether there is room for anything at all.
    local needed = math.max(charge.weight, 1)
    charge.room = limit - needed
    if needed > limit then
      charge.fits = NEVER
    elseif ring.sum + needed <= limit then
      charge.fits = YES
    end
    if charge.fits ~= YES and asked[at + 2] == 0 then admitted = false end
    charges[n] = charge
  end

  local reply = { admitted and 1 or 0 }
  for n = 1, number do
    local charge = charges[n]
    local ring, release, reset, fit = charge.ring, 0, 0, 0
    if admitted and charge.weight > 0 then
      add(ring, charge.weight)
      release, reset = until_gone(ring, ring.oldest), until_gone(ring, ring.index)
    else
      release, reset = release_and_reset(ring)
      if charge.fits == LATER then fit = time_to_fit(ring, charge.room) end
    end
    if writes then save(ring) end
    local last = #reply
    reply[last + 1], reply[last + 2], reply[last + 3] = charge.fits, ring.sum, ring.index
    reply[last + 4], reply[last + 5], reply[last + 6] = release, reset, fit
  end
  for n = 1, claimed do
    local claim = claims[n]
    local last = #reply
    reply[last + 1], reply[last + 2] = claim.fits and 1 or 0, claim.used
    if admitted then claim.count.own = claim.count.own + claim.weight end
  end
  return reply
end

local replies, at = {}, 1
while asked[at] do
  local number, claimed = asked[at], asked[at + 1]
  local done, reply = pcall(decide, at + 2, number, claimed)
  replies[#replies + 1] = done and reply or reply.err or tostring(reply)
  at = at + 2 + number * OF_CHARGE + claimed * OF_CLAIM
end
if writes then
  for _, count in pairs(counts) do
    if count.own ~= count.told or count.total > count.stored_total then
      if count.dead then call('HDEL', count.key, unpack(count.dead)) end
      save_count(count, process)
      if count.is_new then call('PEXPIRE', count.key, NEW_MS) end
    end
  end
end
return replies
