require ARGV.shift

$stdout.sync = true

def answer(call)
  applied = []
  status =
    if call.key?("key")
      Claimcheck.redeem(call["token"], call["key"]) { |claim| applied << claim["offer_id"] }
    else
      Claimcheck.verify(call["token"])["status"]
    end
  { id: call["id"], status: status, applied: applied }
rescue StandardError => e
  { id: call["id"], error: e.message, applied: applied }
end

$stdin.each_line do |line|
  Thread.new { $stdout.write("#{JSON.generate(answer(JSON.parse(line)))}\n") }
end
