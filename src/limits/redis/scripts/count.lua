-- Counts of budgets. This text stands in front of the scripts that ask or tell them, behind that of the rings.
--
-- A count is one hash. `T`: the largest total of the ledger that anybody has told. Then one field for each process, named
-- by its id, `<amount>:<stamp>`: all that the process has spent and the ledger has not, and what its calls hold back, with
-- the time in milliseconds when it was written. Used is all of it together. A process that has not written its field for
-- FRESH_MS is dead, and what it spent is in the ledger, or comes from its spool: its field is passed over, and removed.

local FRESH_MS = 30000
local match, format, max = string.match, string.format, math.max

-- Reads a count as it is once this process has told what is new. Behind `at` the numbers are: total of the ledger, all
-- that is this process's, and what of it is new.
local function open_count(key, process, numbers, at)
  local total, others, told, dead = 0, 0, nil, nil
  local flat = call('HGETALL', key)
  for n = 1, #flat, 2 do
    local field, value = flat[n], flat[n + 1]
    if field == 'T' then
      total = tonumber(value)
    else
      local amount, stamp = match(value, '^(%d+):(%d+)$')
      if field == process then
        told = tonumber(amount)
      elseif now - stamp < FRESH_MS then
        others = others + amount
      else
        dead = dead or {}
        dead[#dead + 1] = field
      end
    end
  end
  return {
    key = key,
    is_new = #flat == 0,
    dead = dead,
    stored_total = total,
    total = max(total, numbers[at + 1]),
    others = others,
    -- As it is stored.
    told = told or 0,
    -- Where the field was lost, all of it is new.
    own = told and max(0, told + numbers[at + 3]) or numbers[at + 2],
  }
end

-- Makes last what has changed. Numbers above 10^14 would lose digits through `..`.
local function save_count(count, process)
  local key = count.key
  if count.total > count.stored_total then call('HSET', key, 'T', format('%.0f', count.total)) end
  if count.own > 0 then
    call('HSET', key, process, format('%.0f:%.0f', count.own, now))
  elseif count.told > 0 then
    call('HDEL', key, process)
  end
end
