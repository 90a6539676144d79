-- Tells counts of budgets what this process has spent and holds, and up to where the ledger has come.
-- KEYS    counts
-- ARGV    1: id of the process; then for each count what `open_count` reads, and '1' where the whole is told, in the place
--         of what is there, else '0'
-- Result  nothing

local OF_COUNT = 5

for n = 1, #KEYS do
  local at = 2 + (n - 1) * OF_COUNT
  local count = open_count(KEYS[n], ARGV[1], at)
  if ARGV[at + 4] == '1' then count.own = tonumber(ARGV[at + 1]) end
  save_count(count, ARGV[1])
  keep_count(count)
end
