/** For each program in `docs/snippets/`, three changes that make it wrong in ways that cost money or customers. */

/** The first text, which the file has once, becomes the second. */
type Mutation = readonly [from: string, to: string];

export interface Mutations {
  /** Applies the offer on any claim that is found. */
  readonly appliesAlways: Mutation;
  /** Takes any 404 for an answer about the token. */
  readonly rejectsAlways: Mutation;
  /** Sends no Idempotency-Key. */
  readonly sendsNoKey: Mutation;
}

const ON_NODE: Mutations = {
  appliesAlways: [`claim.status === 'redeemed'`, `claim.status !== 'not_found'`],
  rejectsAlways: [
    `status === 404 && answer.status === 'not_found') return answer`,
    `status === 404) return { status: 'not_found' }`,
  ],
  sendsNoKey: [`{ 'Idempotency-Key': idempotencyKey }`, '{}'],
};

/** By the file in `docs/snippets/`. */
export const MUTATIONS: Readonly<Record<string, Mutations>> = {
  'claimcheck.sh': {
    appliesAlways: [`'200 {"status":"already_redeemed",'*) echo already_redeemed; exit 3 ;;`, `'200 '*) ;;`],
    rejectsAlways: [`'404 {"status":"not_found"}')`, `'404 '*)`],
    sendsNoKey: ['-H "Idempotency-Key: ', '-H "X-Key: '],
  },
  'claimcheck.mjs': ON_NODE,
  'claimcheck.ts': ON_NODE,
  'claimcheck.py': {
    appliesAlways: ['if claim["status"] == "redeemed":', 'if claim["status"] != "not_found":'],
    rejectsAlways: [
      'if response.status == 404 and answer.get("status") == "not_found":\n        return answer',
      'if response.status == 404:\n        return {"status": "not_found"}',
    ],
    sendsNoKey: ['headers["Idempotency-Key"] = idempotency_key', 'pass'],
  },
  'claimcheck.php': {
    appliesAlways: [`if ($claim['status'] === 'redeemed')`, `if ($claim['status'] !== 'not_found')`],
    rejectsAlways: [
      `if ($code === 404 && $status === 'not_found') {\n        return $answer;`,
      `if ($code === 404) {\n        return ['status' => 'not_found'];`,
    ],
    sendsNoKey: ['Idempotency-Key: ', 'X-Key: '],
  },
  'claimcheck.rb': {
    appliesAlways: ['if claim["status"] == "redeemed"', 'if claim["status"] != "not_found"'],
    rejectsAlways: [
      'return answer if code == 404 && answer["status"] == "not_found"',
      'return { "status" => "not_found" } if code == 404',
    ],
    sendsNoKey: ['headers["Idempotency-Key"] = idempotency_key', 'headers["X-Key"] = idempotency_key'],
  },
  'claimcheck.go': {
    appliesAlways: ['claim.Status == "redeemed"', 'claim.Status != "not_found"'],
    rejectsAlways: [
      `case code == 200 && claim.Status != "", code == 404 && claim.Status == "not_found":`,
      `case code == 404:\n\t\treturn Claim{Status: "not_found"}, 0, nil\n\tcase code == 200 && claim.Status != "":`,
    ],
    sendsNoKey: ['request.Header.Set("Idempotency-Key"', 'request.Header.Set("X-Key"'],
  },
  'Claimcheck.java': {
    appliesAlways: ['if (status.equals("redeemed")) apply', 'if (!status.equals("not_found")) apply'],
    rejectsAlways: [
      'if (code == 404 && status.equals("not_found")) return answer;',
      'if (code == 404) return JSON.createObjectNode().put("status", "not_found");',
    ],
    sendsNoKey: ['request.header("Idempotency-Key"', 'request.header("X-Key"'],
  },
  'Claimcheck.cs': {
    appliesAlways: ['if (status == "redeemed") await apply', 'if (status != "not_found") await apply'],
    rejectsAlways: [
      'if (code == 404 && status == "not_found") return answer;',
      'if (code == 404) return JsonDocument.Parse("{\\"status\\":\\"not_found\\"}").RootElement;',
    ],
    sendsNoKey: ['request.Headers.Add("Idempotency-Key"', 'request.Headers.Add("X-Key"'],
  },
};

/** Throws where the text does not have what a mutation replaces. */
export function mutated(text: string, { appliesAlways, rejectsAlways, sendsNoKey }: Mutations): string {
  return [appliesAlways, rejectsAlways, sendsNoKey].reduce((changed, [from, to]) => {
    if (changed.split(from).length !== 2) throw new Error(`Not exactly once in the file: ${from}`);
    return changed.replace(from, () => to);
  }, text);
}
