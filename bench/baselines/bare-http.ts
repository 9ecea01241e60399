/**
 * The bare server: parses the body and sends a constant response. It writes nothing to a database. Environment: PORT.
 */
import { answer, serveBare } from './bare-server.ts';

serveBare(answer);
