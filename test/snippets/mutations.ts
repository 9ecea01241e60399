/** For each program in `docs/snippets/`, three bugs that would cost a shop money or customers. */

/** Replaces `from`, which must occur exactly once in the file, with `to`. */
type Mutation = readonly [from: string, to: string];

export interface Mutations {
  /** Applies the offer even if the claim was already redeemed. */
  readonly appliesAlways: Mutation;
  /** Treats every 404 as `not_found`. */
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

/** Keyed by file name in `docs/snippets/`. */
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
};

/** Applies all three bugs. */
export function mutated(text: string, { appliesAlways, rejectsAlways, sendsNoKey }: Mutations): string {
  return [appliesAlways, rejectsAlways, sendsNoKey].reduce((changed, [from, to]) => {
    if (changed.split(from).length !== 2) throw new Error(`Must occur exactly once in the file: ${from}`);
    return changed.replace(from, () => to);
  }, text);
}
