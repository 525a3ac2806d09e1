// Where the service is between its start and its end. Health checks and the headers of responses depend on it.

/**
 * It listens before it's known to work, and it listens for a while after it was asked to stop, so that load balancers
 * notice and send their requests elsewhere. Only "serving" counts as ready.
 */
export interface Lifecycle {
  phase: 'starting' | 'serving' | 'draining';
}
