-- Forgets all that a group has used.
-- KEYS    its ring, and the index of the limit's groups
-- ARGV    what `open` reads
-- Result  1 when anything was counted, else 0

local ring = open(KEYS[1], KEYS[2], 1)
redis.call('DEL', ring.key)
redis.call('ZREM', ring.index_key, ring.member)
return ring.sum > 0 and 1 or 0
