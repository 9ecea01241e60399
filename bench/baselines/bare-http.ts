/** The bare server: parses the body, answers with a constant and writes nothing. Environment: PORT. */
import { answer, serveBare } from './bare-server.ts';

serveBare(answer);
