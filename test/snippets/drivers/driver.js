// Reads calls and writes results as JSON lines. The argument is the path of the program under test.
import { createInterface } from 'node:readline';

const { redeem, verify } = await import(process.argv[2]);

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, token, key } = JSON.parse(line);
  const applied = [];
  const apply = async ({ offer_id }) => void applied.push(offer_id);
  try {
    const status = key === undefined ? (await verify(token)).status : await redeem(token, key, apply);
    console.log(JSON.stringify({ id, status, applied }));
  } catch (error) {
    console.log(JSON.stringify({ id, error: String(error), applied }));
  }
});
