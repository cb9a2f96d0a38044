// Runs the script of docs/guide/dashboard.html against a small stand-in for a browser, and looks at what it shows.
import { readFileSync } from "node:fs";
import vm from "node:vm";
import assert from "node:assert";

const page = readFileSync(process.argv[2], "utf8");
const script = page.slice(page.indexOf("<script>") + "<script>".length, page.indexOf("</script>"));
const byId = new Map();
class Node {
  constructor(tag) { this.tag = tag; this.children = []; this.dataset = {}; this.textContent = ""; }
  set id(id) { this.name = id; byId.set(id, this); }
  appendChild(child) { this.children.push(child); return child; }
  remove() { byId.delete(this.name); }
}
const main = new Node("main");
const state = new Node("p");
state.id = "state";
const sockets = [];
const timers = [];
const browser = {
  document: {
    getElementById: id => byId.get(id) ?? null,
    querySelector: () => main,
  },
  location: { hash: "#key=tdg_1", search: "", host: "here:1", protocol: "http:" },
  WebSocket: class { constructor(url, protocols) { this.url = url; this.protocols = protocols; sockets.push(this); } },
  URLSearchParams, JSON, Date, Math, console,
  prompt: () => "", setInterval: () => 0, clearInterval: () => 0, setTimeout: f => timers.push(f),
};
// In a page, appendChild comes before the id is set; the stand-in makes the element.
browser.document.createElement = tag => new Node(tag);
vm.runInNewContext(script, browser);

const tell = (type, data, seq) =>
  sockets.at(-1).onmessage({ data: JSON.stringify({ type, conversationId: "c1", timestamp: 1, seq, data }) });
assert.equal(sockets[0].url, "ws://here:1/ws?lastEventSeq=0");
assert.deepEqual([...sockets[0].protocols], ["tidings.conversations", "bearer.tdg_1"]);
tell("conversation.updated", { title: "Talk" }, 3);
tell("run.started", { runId: "r" }, 4);
tell("message.delta", { messageId: "m", delta: "he" }, 5);
tell("message.delta", { messageId: "m", delta: "llo" }, 9);
assert.equal(byId.get("m-m").textContent, "hello");
assert.equal(byId.get("h-c1").textContent, "Talk – started");
sockets[0].onmessage({ data: '{"type":"heartbeat"}' });
sockets[0].onclose({ code: 1006 });
timers.pop()();
assert.equal(sockets[1].url, "ws://here:1/ws?lastEventSeq=9");
tell("message.created", { messageId: "m", role: "assistant", content: "hello!" }, 12);
assert.equal(byId.get("m-m").textContent, "assistant: hello!");
tell("conversation.deleted", {}, 13);
assert.equal(byId.has("c-c1"), false);
sockets[1].onclose({ code: 4401 });
assert.equal(timers.length, 0);
console.log("ok");
