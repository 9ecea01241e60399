# claimcheck.rb: verifies and redeems claim tokens.
#
#   status = Claimcheck.redeem("clm_test_YOUR_TEST_TOKEN", "order-4711") { |claim| apply claim }
require "json"
require "net/http"

module Claimcheck
  VERIFY = URI("https://claims.example.com/api/v1/marketplace/claims/verify")
  TIMEOUT_S = 5
  PAUSES_S = [0.5, 1].freeze # delay before each retry, unless Retry-After is longer
  MAX_PAUSE_S = 5

  class Failure < StandardError
    attr_accessor :retry_after_s
  end

  # Redeems the claim and returns the status. Yields the claim only if the status is redeemed. On any
  # other status, give the person nothing. A retry with the same idempotency_key also returns redeemed,
  # so the block may run twice.
  def self.redeem(token, idempotency_key)
    claim = verify(token, idempotency_key)
    yield claim if claim["status"] == "redeemed"
    claim["status"]
  end

  # Verifies the token. With an Idempotency-Key, also redeems the claim. Raises if there is no outcome.
  def self.verify(token, idempotency_key = nil)
    raise "CLAIMCHECK_API_KEY is not set" if ENV["CLAIMCHECK_API_KEY"].to_s.empty?

    PAUSES_S.each do |pause|
      return ask(token, idempotency_key)
    rescue StandardError => e
      wait = e.is_a?(Failure) ? [pause, e.retry_after_s].max : pause
      raise if wait > MAX_PAUSE_S

      sleep wait
    end
    ask(token, idempotency_key)
  end

  def self.ask(token, idempotency_key)
    headers = {
      "Authorization" => "Bearer #{ENV['CLAIMCHECK_API_KEY']}",
      "Content-Type" => "application/json"
    }
    headers["Idempotency-Key"] = idempotency_key if idempotency_key
    body = JSON.generate(token: token, redeem: !idempotency_key.nil?)
    http = Net::HTTP.new(VERIFY.host, VERIFY.port)
    http.use_ssl = VERIFY.scheme == "https"
    http.open_timeout = http.read_timeout = TIMEOUT_S
    response = http.post(VERIFY.path, body, headers)
    code = response.code.to_i
    answer = response.body.start_with?("{") ? JSON.parse(response.body) : {}
    return answer if code == 200 && answer["status"]
    return answer if code == 404 && answer["status"] == "not_found"

    failure = Failure.new("HTTP #{code}: #{response.body[0, 500]}")
    may_pass = code == 429 || code >= 500
    failure.retry_after_s = may_pass ? response["Retry-After"].to_i : Float::INFINITY
    raise failure
  end
  private_class_method :ask
end
