/** The bare server: parses the body and answers a constant, and writes nothing. Environment: PORT. */
import { answer, serveBare } from './bare-server.ts';

serveBare(answer);
