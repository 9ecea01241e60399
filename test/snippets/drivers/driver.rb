require_relative "claimcheck"

$stdout.sync = true
$stdin.each_line do |line|
  call = JSON.parse(line)
  applied = []
  begin
    status =
      if call.key?("key")
        Claimcheck.redeem(call["token"], call["key"]) { |claim| applied << claim["offer_id"] }
      else
        Claimcheck.verify(call["token"])["status"]
      end
    puts JSON.generate(status: status, applied: applied)
  rescue StandardError => e
    puts JSON.generate(error: e.message, applied: applied)
  end
end
