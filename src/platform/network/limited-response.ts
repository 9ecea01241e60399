/**
 * Reading more than `maxBytes` of the body fails. Counts the bytes after decompression, so a small response that expands
 * to gigabytes fails too.
 */
export function limitedResponse(response: Response, maxBytes: number): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (part, controller) => {
      bytes += part.length;
      if (bytes <= maxBytes) controller.enqueue(part);
      else controller.error(new Error('the response is too large'));
    },
  });
  return new Response(response.body.pipeThrough(limit), response);
}
