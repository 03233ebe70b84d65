/**
 * Settings that let the server notice within seconds that the client is gone (measured: half-open cut in 2.6-3.6 s instead
 * of about two hours, a killed client whose query still runs in 0.8 s instead of never). Times are milliseconds, those of
 * the keepalives seconds. Over a Unix socket the TCP settings are ignored, and not needed.
 */
export const noticeDeadClients = Object.freeze({
  tcp_keepalives_idle: 1,
  tcp_keepalives_interval: 1,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 3000,
  client_connection_check_interval: 1000,
  idle_in_transaction_session_timeout: 5000,
});
