import { BadRequest } from '@heliograph/kit';

/** An agent's metadata are invalid (RFC 7591, 3.2.2); the message is for its developers. */
export class InvalidAgentMetadata extends BadRequest {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata';

  constructor(error: InvalidAgentMetadata['error'], message: string) {
    super(message);
    this.error = error;
  }
}
