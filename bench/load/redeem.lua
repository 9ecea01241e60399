-- Script for wrk that sends a different token in each request. Environment: TOKENS (a file with one token per
-- line), API_KEY, REDEEM (true or false), IDEMPOTENCY (1: send an Idempotency-Key), THREADS (the value of wrk -t).
-- With n threads, each thread takes every nth line, so that no two threads send the same token.

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
-- Iterator over the lines of the file. The file is not read at once, because the garbage collection of a million
-- strings would take tens of milliseconds and add to the latency.
local tokens

-- Goes back to the start of the file, so that rounds without redemptions never run out of tokens. A round of
-- redemptions fails if a token is repeated.
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
