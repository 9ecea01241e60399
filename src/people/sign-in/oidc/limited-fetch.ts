/** Far more than the metadata, keys and claims of any provider. */
const MAX_RESPONSE_BYTES = 1_024 * 1_024;

/** `fetch` for the libraries, which read a response to its end. Reading more than `MAX_RESPONSE_BYTES` fails. */
export async function limitedFetch(url: string, options: object): Promise<Response> {
  const response = await fetch(url, options);
  if (response.body === null) return response;
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (part, controller) => {
      bytes += part.length;
      if (bytes <= MAX_RESPONSE_BYTES) controller.enqueue(part);
      else controller.error(new Error('the response is too large'));
    },
  });
  return new Response(response.body.pipeThrough(limit), response);
}
