-- Counts of budgets. This text stands in front of the scripts that ask or tell them, behind that of the rings.
--
-- A count is one hash. `T`: the largest total of the ledger that anybody has told. Then one field for each process, named
-- by its id, `<amount>:<stamp>`: all that the process has spent and the ledger has not, and what its calls hold back, with
-- the time in milliseconds when it was written. Used is all of it together. A process that has not written its field for
-- FRESH_MS is dead, and what it spent is in the ledger, or comes from its spool: its field is passed over, and removed.

local FRESH_MS, HOUR_MS, DAY_MS = 30000, 3600000, 86400000
-- Life of a count whose period never ends, since it was written last.
local ENDLESS_MS = 40 * DAY_MS

local match, format, max = string.match, string.format, math.max

-- Reads a count as it is once this process has told what is new. From `at` on ARGV has: total of the ledger, all that is
-- this process's, what of it is new, and the time when the period ends, 0 for never.
local function open_count(key, process, at)
  local stored, total = tonumber(ARGV[at]), 0
  local others, told, dead = 0, nil, nil
  local flat = call('HGETALL', key)
  for n = 1, #flat, 2 do
    local field, value = flat[n], flat[n + 1]
    if field == 'T' then
      total = tonumber(value)
    else
      local amount, stamp = match(value, '^(%d+):(%d+)$')
      if field == process then
        told = tonumber(amount)
      elseif now - tonumber(stamp) < FRESH_MS then
        others = others + tonumber(amount)
      else
        dead = dead or {}
        dead[#dead + 1] = field
      end
    end
  end
  -- Where the field was lost, all of it is new.
  local own = told and max(0, told + tonumber(ARGV[at + 2])) or tonumber(ARGV[at + 1])
  return {
    key = key,
    ends = tonumber(ARGV[at + 3]),
    is_new = #flat == 0,
    dead = dead,
    stored_total = total,
    total = max(total, stored),
    others = others,
    -- As it is stored.
    told = told or 0,
    own = own,
  }
end

local function used_of(count)
  return count.total + count.others + count.own
end

-- Keeps a count until a day after its period.
local function keep_count(count)
  if count.ends > 0 then
    call('PEXPIREAT', count.key, max(count.ends + DAY_MS, now + HOUR_MS))
  else
    call('PEXPIRE', count.key, ENDLESS_MS)
  end
end

-- Makes last what has changed. Numbers above 10^14 would lose digits through `..`.
local function save_count(count, process)
  local key = count.key
  if count.dead then call('HDEL', key, unpack(count.dead)) end
  if count.total > count.stored_total then call('HSET', key, 'T', format('%.0f', count.total)) end
  if count.own > 0 then
    call('HSET', key, process, format('%.0f:%.0f', count.own, now))
  elseif count.told > 0 then
    call('HDEL', key, process)
  end
end
