/** The bare server: parses the body and sends a constant response without writing. Environment: PORT. */
import { answer, serveBare } from './bare-server.ts';

serveBare(answer);
