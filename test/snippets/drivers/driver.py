import json
import sys

from claimcheck import redeem, verify

for line in sys.stdin:
    call = json.loads(line)
    applied = []
    try:
        if "key" in call:
            status = redeem(call["token"], call["key"], lambda claim: applied.append(claim["offer_id"]))
        else:
            status = verify(call["token"])["status"]
        print(json.dumps({"status": status, "applied": applied}), flush=True)
    except Exception as error:
        print(json.dumps({"error": str(error), "applied": applied}), flush=True)
