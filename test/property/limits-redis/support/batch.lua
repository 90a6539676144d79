-- Test only: runs many runs of the scripts in one, each at a time of its own.
-- KEYS    where the times of expiry are kept, and then all keys that the runs name
-- ARGV    1: '1' when keys expire; then for each run: program, time in milliseconds, numbers of keys and of arguments,
--         places of the keys in KEYS, arguments
-- Result  the result of each run

local server, clock, expires = redis, 0, ARGV[1] == '1'
local expiry = {}
local kept = server.call('HGETALL', KEYS[1])
for at = 1, #kept, 2 do expiry[kept[at]] = tonumber(kept[at + 1]) end

-- What a script takes for Redis: the clock is ours, and so is expiry.
local shim = {
  call = function(command, key, ...)
    if command == 'TIME' then
      return { string.format('%.0f', math.floor(clock / 1000)), string.format('%.0f', clock % 1000 * 1000 + 999) }
    end
    if command == 'INFO' then return 'run_id:test' end
    if command == 'PEXPIREAT' then
      expiry[key] = tonumber((...))
      return 1
    end
    if command == 'DEL' then expiry[key] = nil end
    return server.call(command, key, ...)
  end,
}

local replies, at = {}, 2
while at <= #ARGV do
  clock = tonumber(ARGV[at + 1])
  local keys, args = {}, {}
  local first_key = at + 4
  local first_argument = first_key + ARGV[at + 2]
  local following = first_argument + ARGV[at + 3]
  for place = first_key, first_argument - 1 do
    local key = KEYS[tonumber(ARGV[place])]
    if expires and expiry[key] and clock > expiry[key] then
      server.call('DEL', key)
      expiry[key] = nil
    end
    keys[#keys + 1] = key
  end
  for place = first_argument, following - 1 do args[#args + 1] = ARGV[place] end
  local reply = programs[ARGV[at]](keys, args, shim)
  replies[#replies + 1] = reply == nil and 0 or reply
  at = following
end

server.call('DEL', KEYS[1])
for key, time in pairs(expiry) do server.call('HSET', KEYS[1], key, time) end
-- What a test leaves behind goes by itself.
for _, key in ipairs(KEYS) do server.call('PEXPIRE', key, 600000) end
return replies
