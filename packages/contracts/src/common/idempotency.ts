/** The refusal of a request with a key that was used for another request; pages recognize it. */
export const KEY_OF_ANOTHER_REQUEST = 'The Idempotency-Key was used for a request with another body';
