-- Corrects charges once the real usage is known, one after the other.
-- KEYS    for each settlement: its ring, and the index of the limit's groups
-- ARGV    for each settlement: index, delta, and what `open` reads
-- Result  nothing
--
-- A delta below 0 is given back to the bucket that was charged, and to no other. Above 0 it is added to the current
-- bucket, beyond the limit if need be.

local ARGUMENTS = 7

for n = 1, #KEYS / 2 do
  local at = (n - 1) * ARGUMENTS + 1
  local index, delta = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  if delta < 0 then
    give_back(KEYS[2 * n - 1], index, -delta)
  else
    local ring = open(KEYS[2 * n - 1], KEYS[2 * n], at + 2)
    add(ring, delta)
    save(ring)
  end
end
