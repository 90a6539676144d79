-- What wrk sends, and how it reports. Arguments, after `--`: the files of the body and of the headers (a `name: value` a
-- line), the mean pause of a connection between two requests in milliseconds (0: none), and perhaps a file of API keys,
-- one a line, of which each request takes the next.

local PERCENTILES = { 50, 99 }

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

function init(args)
  wrk.method = "POST"
  wrk.body = read(args[1])
  for name, value in read(args[2]):gmatch("([^:\n]+): ([^\n]*)") do
    wrk.headers[name] = value
  end
  local pause = tonumber(args[3])
  if pause > 0 then
    math.randomseed(os.time())
    -- Uniform from nothing to twice the mean, so that the connections do not march in step. Rounded, as wrk takes whole ones.
    delay = function()
      return math.floor(math.random() * 2 * pause + 0.5)
    end
  end
  if args[4] then
    local keys = {}
    for key in read(args[4]):gmatch("[^\n]+") do
      keys[#keys + 1] = key
    end
    local place = 0
    -- Put together from three parts: to format it anew for each request would make wrk the slowest of all.
    wrk.headers["authorization"] = "Bearer @KEY@"
    local request_text = wrk.format()
    local first, last = request_text:find("@KEY@", 1, true)
    local before, after = request_text:sub(1, first - 1), request_text:sub(last + 1)
    request = function()
      place = place % #keys + 1
      return before .. keys[place] .. after
    end
  end
end

function done(summary, latency, requests)
  local parts = {}
  for _, percentile in ipairs(PERCENTILES) do
    parts[#parts + 1] = string.format('"p%dUs":%d', percentile, latency:percentile(percentile))
  end
  local errors = summary.errors
  print(
    string.format(
      '{"requests":%d,"durationUs":%d,%s,"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}}',
      summary.requests, summary.duration, table.concat(parts, ","),
      errors.connect, errors.read, errors.write, errors.status, errors.timeout
    )
  )
end
