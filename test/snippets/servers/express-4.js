// Makes Express behave like Express 4: rejections of async handlers are not caught.
import { createRequire } from 'node:module';

const requireOfExpress = createRequire(createRequire(import.meta.url).resolve('express'));
const Layer = requireOfExpress('router/lib/layer');

Layer.prototype.handleRequest = function handleRequest(request, response, next) {
  if (this.handle.length > 3) return next();
  try {
    this.handle(request, response, next);
  } catch (error) {
    next(error);
  }
};
