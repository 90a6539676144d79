-- Tells counts of budgets what this process has spent and holds, and up to where the ledger has come.
-- KEYS    counts
-- ARGV    1: id of the process; 2: a list of numbers as JSON, for each count what `open_count` reads; the time when its period
--         ends, 0 for never; and 1 where the whole is told, in the place of what is there, else 0
-- Result  nothing

local HOUR_MS, DAY_MS = 3600000, 86400000
local OF_COUNT = 5
local process, numbers = ARGV[1], cjson.decode(ARGV[2])

for n = 1, #KEYS do
  local key, at = KEYS[n], (n - 1) * OF_COUNT
  local state = call('HMGET', key, 'T', process)
  local total = tonumber(state[1] or 0)
  local told = state[2] and tonumber(match(state[2], '^%d+'))
  local whole = numbers[at + 5] == 1 or not told
  save_count({
    key = key,
    stored_total = total,
    total = max(total, numbers[at + 1]),
    told = told or 0,
    own = whole and numbers[at + 2] or max(0, told + numbers[at + 3]),
  }, process)
  if whole then
    local ends = numbers[at + 4]
    -- Until a day after its period, or 40 days after it was last told.
    call('PEXPIREAT', key, ends > 0 and max(ends + DAY_MS, now + HOUR_MS) or now + 40 * DAY_MS)
  end
end
