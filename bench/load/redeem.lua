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
local authorization = 'Bearer ' .. (os.getenv('API_KEY') or '')
local tokens = {}
local sent = 0

function init(args)
  local threads = tonumber(os.getenv('THREADS') or '1')
  local line = 0
  for token in io.lines(os.getenv('TOKENS')) do
    if line % threads == id then tokens[#tokens + 1] = token end
    line = line + 1
  end
end

function request()
  sent = sent + 1
  -- Out of tokens: start again from the first. The driver sees that more was answered than there were tokens.
  local token = tokens[(sent - 1) % #tokens + 1]
  local body = '{"token":"' .. token .. '","redeem":' .. redeem .. '}'
  local headers = 'Host: 127.0.0.1\r\nAuthorization: ' .. authorization
    .. '\r\nContent-Type: application/json\r\nContent-Length: ' .. #body
  if idempotency then headers = headers .. '\r\nIdempotency-Key: "bench-' .. token .. '"' end
  return 'POST ' .. path .. ' HTTP/1.1\r\n' .. headers .. '\r\n\r\n' .. body
end

function done(summary, latency, requests)
  local e = summary.errors
  print(string.format(
    '{"answered":%d,"microseconds":%d,"refused":%d,"failed":%d,"p50us":%d,"p99us":%d}',
    summary.requests, summary.duration, e.status, e.connect + e.read + e.write + e.timeout,
    latency:percentile(50), latency:percentile(99)))
end
