import { countedRequestsSql, livingWorkersSql } from '#platform';

/** A share of the time between two tries that is each agent's own. */
const spread = '(0.7 + 0.003 * abs(hashtext(agent_id::text) % 100))';

/**
 * Takes what is to be sent now, in one statement. Parameters: $1 seconds after which an unclaimed dispatch is sent again, $2 most
 * agents of one session at once (null: any number), $3 JSON object of most agents of one model at once.
 *
 * - `picked`: what was sent in vain three times is waited for twice as long each time, up to 20 times as long: a worker may still be
 *   reading a transcript of hundreds of megabytes, and one that dies of an agent must not be sent the next at once. Agents drift apart
 *   by it, so that one which only was beside the deadly one is not beside it for ever.
 * - `room`: no more is sent than living workers could take at once. What waits beyond that stays in the table, where a late
 *   session can still overtake it; in the queue it could not.
 * - `lane`: the sessions and models that wait, found by hopping over an index: the cost grows with them, not with their agents.
 * - `asked`: requests to a model that no agent at work stands for (`ModelPlaces`); they count for its limit.
 * - `turn`: how many agents a session would have at work with this one. Lower turns go first, so the session with the
 *   least at work is served next and one with 500 forks waits behind one with a single fork.
 *
 * Of several orchestrators one takes at a time, so that limits hold; rows keep their lock against it all the same.
 */
export const takeDue = `
  with recursive mine as materialized (select pg_try_advisory_xact_lock(1767000700) as held),
  room as materialized (
    select greatest(4, coalesce((select sum(capacity) from (${livingWorkersSql}) living), 16))
      - (select count(*) from dispatch where not is_running and enqueued_at is not null) as free),
  busy as materialized (
    select session_id, model, count(*) as agents from dispatch
    where is_running or enqueued_at is not null group by session_id, model),
  asked as materialized (${countedRequestsSql}),
  lane (session_id, model) as (
    (select session_id, model from dispatch where not is_running and enqueued_at is null and (select free from room) > 0
     order by session_id, model limit 1)
    union all
    select next.session_id, next.model from lane cross join lateral (
      select session_id, model from dispatch
      where not is_running and enqueued_at is null and (session_id, model) > (lane.session_id, lane.model)
      order by session_id, model limit 1) next),
  candidate as (
    select head.agent_id, head.model,
      coalesce((select sum(agents) from busy where busy.session_id = lane.session_id), 0)
        + row_number() over (partition by lane.session_id order by head.agent_id) as turn
    from lane cross join lateral (
      select agent_id, model from dispatch
      where session_id = lane.session_id and model = lane.model and not is_running and enqueued_at is null
      order by agent_id limit (select greatest(free, 0) from room)) head),
  ranked as (
    select agent_id, turn, ($3::json ->> model)::integer as model_limit,
      coalesce((select sum(agents) from busy where busy.model = candidate.model), 0)
        + (select count(*) from asked where asked.model = candidate.model)
        + row_number() over (partition by model order by turn, agent_id) as model_turn
    from candidate),
  fresh as (
    select agent_id, turn from ranked
    where turn <= coalesce($2::integer, 2147483647) and model_turn <= coalesce(model_limit, 2147483647)
    order by turn, agent_id limit (select greatest(free, 0) from room)),
  picked as (
    select agent_id from fresh union all
    select agent_id from dispatch
    where not is_running and enqueued_at < statement_timestamp() - make_interval(secs => $1)
      and enqueued_at < statement_timestamp()
        - make_interval(secs => $1 * ${spread} * least(20, power(2, greatest(0, number - 2))))),
  due as (
    select dispatch.agent_id, dispatch.enqueued_at is not null as was_sent, coalesce(fresh.turn, 0) as turn
    from dispatch left join fresh on fresh.agent_id = dispatch.agent_id
    where (select held from mine) and not dispatch.is_running
      and dispatch.agent_id = any(array(select agent_id from picked))
    for update of dispatch skip locked)
  update dispatch set enqueued_at = clock_timestamp() from due where dispatch.agent_id = due.agent_id
  returning dispatch.agent_id, dispatch.epoch, dispatch.number, due.was_sent, due.turn::integer as turn`;
