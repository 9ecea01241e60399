// Reads calls and writes how each ended, a line of JSON each. MODULE is the program that is tested.
import { createInterface } from 'node:readline';

const { redeem, verify } = await import(process.env.MODULE);

for await (const line of createInterface({ input: process.stdin })) {
  const { token, key } = JSON.parse(line);
  const applied = [];
  const apply = async ({ offer_id }) => void applied.push(offer_id);
  try {
    const status = key === undefined ? (await verify(token)).status : await redeem(token, key, apply);
    console.log(JSON.stringify({ status, applied }));
  } catch (error) {
    console.log(JSON.stringify({ error: String(error), applied }));
  }
}
