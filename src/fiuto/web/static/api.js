// Talks to the server this page came from, and to nothing else.

/** An answer that says what went wrong. */
export class Problem extends Error {
  constructor(status, error) {
    super(error.message);
    this.status = status;
    this.kind = error.kind;
    this.faults = error.faults || [];
  }
}

async function ask(method, path, { query, body, signal } = {}) {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query || {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== "") url.searchParams.append(name, one);
    }
  }
  let response;
  try {
    response = await fetch(url, {
      method,
      signal,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, { kind: "offline", message: "fiuto serve does not answer; is it still running?" });
  }
  let data = null;
  try {
    data = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
  }
  if (!response.ok) {
    throw new Problem(response.status, data?.error || { kind: "fault", message: `the server answered ${response.status}` });
  }
  return data;
}

export const get = (path, query, signal) => ask("GET", path, { query, signal });
export const post = (path, body = {}) => ask("POST", path, { body });
export const remove = (path) => ask("DELETE", path);

/** An address of this page. */
export function address(path, params) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== "") query.append(name, one);
    }
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
