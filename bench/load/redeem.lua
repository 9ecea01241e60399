-- Walks through a file of tokens, one a line, so that each request carries a token no other request has.
-- Environment: TOKENS (the file), API_KEY, REDEEM (true or false), IDEMPOTENCY (1: each request a key of its own),
-- THREADS (as wrk -t). A thread takes the lines of its own residue class, so that no two share a token.

local started = 0

function setup(thread)
  thread:set('id', started)
  started = started + 1
end

local path = '/api/v1/marketplace/claims/verify'
local redeem = os.getenv('REDEEM') or 'true'
local idempotency = os.getenv('IDEMPOTENCY') == '1'
local threads = tonumber(os.getenv('THREADS') or '1')
local head = 'POST ' .. path .. ' HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer '
  .. (os.getenv('API_KEY') or '') .. '\r\nContent-Type: application/json\r\nContent-Length: '
-- Read as they are needed: a table of a million strings stops this side for tens of milliseconds whenever its
-- garbage is collected, and that would count as the server's.
local tokens

-- Starts the file again: the driver sees that more was answered than there were tokens.
local function rewind()
  tokens = io.lines(os.getenv('TOKENS'))
  for _ = 1, id do tokens() end
end

local function nextToken()
  local token = tokens()
  for _ = 2, threads do tokens() end
  return token
end

function init(args)
  rewind()
end

function request()
  local token = nextToken()
  if token == nil then
    rewind()
    token = nextToken()
  end
  local body = '{"token":"' .. token .. '","redeem":' .. redeem .. '}'
  local more = idempotency and '\r\nIdempotency-Key: "bench-' .. token .. '"' or ''
  return head .. #body .. more .. '\r\n\r\n' .. body
end

function done(summary, latency, requests)
  local e = summary.errors
  print(string.format(
    '{"answered":%d,"microseconds":%d,"refused":%d,"failed":%d,"p50us":%d,"p99us":%d}',
    summary.requests, summary.duration, e.status, e.connect + e.read + e.write + e.timeout,
    latency:percentile(50), latency:percentile(99)))
end
