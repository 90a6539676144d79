-- Adds what another ring has counted, bucket by bucket.
-- KEYS    for each ring: itself, and the index of the limit's groups
-- ARGV    for each ring: what `open` reads, the number of buckets, and for each of them index and weight
-- Result  nothing
--
-- A bucket that has left already is skipped. One that is yet to come, as of a clock that runs ahead, is taken for the
-- current one: it would be counted for too long, and past the life of its ring.

local at = 1
for n = 1, #KEYS / 2 do
  local ring = open(KEYS[2 * n - 1], KEYS[2 * n], at)
  -- What has left goes first: a field may only ever stand for one bucket.
  save(ring)
  local count = tonumber(ARGV[at + 5])
  local current, first = ring.index, ring.bucket - ring.buckets
  for pair = 1, count do
    local index = math.min(tonumber(ARGV[at + 4 + 2 * pair]), current)
    if index >= first then
      ring.index, ring.held = index, tonumber(redis.call('HGET', ring.key, index % FIELDS) or 0)
      add(ring, tonumber(ARGV[at + 5 + 2 * pair]))
      save(ring)
    end
  end
  at = at + 6 + 2 * count
end
