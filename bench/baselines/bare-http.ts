/** The bare server: parses the body, sends a constant response and writes nothing. Environment: PORT. */
import { answer, serveBare } from './bare-server.ts';

serveBare(answer);
