-- Reads what groups of one limit have used.
-- KEYS    rings
-- ARGV    what `open` reads, once for all
-- Result  for each ring: used, and in milliseconds until its oldest bucket leaves and until all have left; all 0 when empty

local reply = {}
for n = 1, #KEYS do
  local ring = open(KEYS[n], '', 1)
  local release, reset = release_and_reset(ring)
  for _, value in ipairs({ ring.sum, release, reset }) do reply[#reply + 1] = value end
end
return reply
