-- Charges all rings of a call, or none of them; and of several calls one after the other.
-- KEYS    for each ring: itself, and the index of the limit's groups
-- ARGV    1: '1' to change nothing, else '0'; 2: number of calls; then for each ring what `open` reads; then for each call
--         the number of its charges, and for each charge: limit, weight, shadow ('1' or '0'), number of its ring, from 1
-- Result  for each call: 1 when admitted, else 0; then for each charge: fits (0 later, 1 yes, 2 never), used, index, and in
--         milliseconds until its oldest bucket leaves, until all have left, until the weight fits.
--         Of a call that failed a text that says why, as an error would: the others are not its fault.

local LATER, YES, NEVER = 0, 1, 2
local OF_RING, OF_CHARGE = 5, 4

-- Milliseconds until no more than `room` is counted, if nothing is added.
local function time_to_fit(ring, room)
  local counted = ring.sum
  for _, index in ipairs(ring.indexes) do
    counted = counted - ring.weights[index]
    if counted <= room then return until_gone(ring, index) end
  end
  return 0
end

local writes = ARGV[1] ~= '1'

-- The reply to the call whose charges begin there in ARGV.
local function decide(first, count)
  local charges, admitted = {}, true
  for n = 1, count do
    local at = first + (n - 1) * OF_CHARGE
    local limit, place = tonumber(ARGV[at]), tonumber(ARGV[at + 3])
    local ring = open(KEYS[2 * place - 1], KEYS[2 * place], (place - 1) * OF_RING + 3)
    local charge = { ring = ring, weight = tonumber(ARGV[at + 1]), fits = LATER }
    -- A weight of 0 asks whether there is room for anything at all.
    local needed = math.max(charge.weight, 1)
    charge.room = limit - needed
    if needed > limit then
      charge.fits = NEVER
    elseif ring.sum + needed <= limit then
      charge.fits = YES
    end
    if charge.fits ~= YES and ARGV[at + 2] ~= '1' then admitted = false end
    charges[n] = charge
  end

  local reply = { admitted and 1 or 0 }
  for n = 1, count do
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
  return reply
end

local replies, at = {}, #KEYS / 2 * OF_RING + 3
for call_number = 1, tonumber(ARGV[2]) do
  local count = tonumber(ARGV[at])
  local done, reply = pcall(decide, at + 1, count)
  replies[call_number] = done and reply or reply.err or tostring(reply)
  at = at + 1 + count * OF_CHARGE
end
return replies
