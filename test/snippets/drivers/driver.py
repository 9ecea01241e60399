import json
import os
import sys
from threading import Thread

sys.path.insert(0, os.path.dirname(sys.argv[1]))
from claimcheck import redeem, verify  # noqa: E402


def answer(call):
    applied = []
    end = {"id": call["id"], "applied": applied}
    try:
        if "key" in call:
            end["status"] = redeem(call["token"], call["key"], lambda claim: applied.append(claim["offer_id"]))
        else:
            end["status"] = verify(call["token"])["status"]
    except Exception as error:
        end["error"] = str(error)
    sys.stdout.write(json.dumps(end) + "\n")
    sys.stdout.flush()


for line in sys.stdin:
    Thread(target=answer, args=[json.loads(line)]).start()
