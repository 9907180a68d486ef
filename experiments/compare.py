"""Make lessons with one teacher, train kinds of networks on them, compare."""
import sys, time, json, math, copy, os
from pathlib import Path
import torch
from torch.nn import functional as F
sys.path.insert(0, str(Path(__file__).parent))
from kinds import *
from splendor.training.machine import machine as make_machine
from splendor.training.learner import read_checkpoint, network_of
from splendor.training.config import make_config
from splendor.training.judge import Judge
from splendor.training.selfplay import SelfPlay
from splendor.training.games import NOTHING, try_decisions
from splendor.training.ladder import match, Decider

class Soft:
    """A judge of any kind of network."""
    def __init__(s, model, machine):
        s.machine = machine; s.model = copy.deepcopy(model).to(machine.device).requires_grad_(False).eval()
        if machine.device.type == "cuda": s.model = s.model.half()
    @torch.no_grad()
    def rate(s, seen):
        parts = [s.model(p) for p in seen.split(65536)]
        a = torch.cat([p[0] for p in parts]); b = torch.cat([p[1] for p in parts])
        return torch.softmax(a, 1), b
    def shares(s, seen): return s.rate(seen)[0]
    def ratings(s, seen): return s.rate(seen)[1]

class Both:
    def __init__(s, judge, k=0.03): s.judge, s.k = judge, k
    def decide(s, games, mine):
        r = torch.log_softmax(s.judge.ratings(games.seen).masked_fill(~games.legal, -1e4), 1)
        likely = r > r.amax(1, keepdim=True) - 3
        w = try_decisions(games, s.judge, games.legal & likely & mine.unsqueeze(1)).worth
        return (w + s.k * r).masked_fill(~(games.legal & likely), -1e9).argmax(1)

def newton(g, steps=5):
    a, b, c = 3.4445, -4.7750, 2.0315
    x = g.to(torch.bfloat16) if g.is_cuda else g
    turn = x.shape[-2] > x.shape[-1]
    if turn: x = x.mT
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(steps):
        y = x @ x.mT
        x = a * x + (b * y + c * y @ y) @ x
    return (x.mT if turn else x).float()

class Muon:
    def __init__(s, params, lr, wd=0.0, beta=0.95):
        s.lr, s.wd, s.beta = lr, wd, beta
        shapes = {}
        for p in params: shapes.setdefault(p.shape, []).append(p)
        s.groups = [(ps, torch.zeros((len(ps), *shape), device=ps[0].device)) for shape, ps in shapes.items()]
    @torch.no_grad()
    def step(s):
        for ps, buf in s.groups:
            g = torch.stack([p.grad for p in ps]).float()
            buf.lerp_(g, 1 - s.beta)
            u = newton(g.lerp(buf, s.beta)) * (0.2 * math.sqrt(max(ps[0].shape)))
            for p, x in zip(ps, u):
                p.mul_(1 - s.lr * s.wd); p.sub_(s.lr * x)

def make_lessons(teacher, mach, cfg, seconds, out):
    play = SelfPlay(cfg, mach, seed=77 << 24)
    judge = Judge(teacher, mach)
    for _ in range(WARM): play.play(judge, 0.01, 0.87, False)
    mach.wait(); t0 = time.time(); lessons = []
    while time.time() - t0 < seconds:
        lesson, played = play.play(judge, 0.008, 0.87, True)
        lessons.append(lesson._replace(**{k: v.clone() for k, v in lesson._asdict().items()}))
        mach.wait()
    rows = sum(len(l.after) for l in lessons)
    print(f"{len(lessons)} windows {rows/1e6:.2f} M lessons {time.time()-t0:.0f} s rounds {played.rounds:.1f}", flush=True)
    return lessons

def split(lessons, games, held):
    """Row numbers of the games that are never learned from."""
    n = len(lessons[0].after)
    game = torch.arange(n, device=lessons[0].after.device) % games
    return torch.where(game < games - held)[0], torch.where(game >= games - held)[0]

@torch.no_grad()
def evaluate(judge_model, lessons, held, mach):
    j = judge_model; kl = after = before = n = 0.0; top = 0.0
    for l in lessons[::max(len(lessons)//8, 1)]:
        a, b, p = l.after[held], l.before[held], l.policy[held].float()
        sa, _ = j.rate(a); sb, r = j.rate(b)
        after += -(l.after_shares[held] * sa.clamp_min(1e-6).log()).sum().item(); before += -(l.before_shares[held] * sb.clamp_min(1e-6).log()).sum().item()
        lg = F.log_softmax(r.masked_fill(p == NOTHING, -1e4), 1); q = p.clamp(min=0)
        q = q / q.sum(1, keepdim=True)
        kl += (q * (q.clamp_min(1e-9).log() - lg)).sum().item(); n += len(a)
        top += q.gather(1, lg.argmax(1, keepdim=True)).sum().item() / 1.0
    return kl / n, after / n, before / n, top / n

def train(model, lessons, mine, mach, seconds, batch, lr, mlr, siblings, wd=1e-4, pw=1.0, fraction=lambda p: 1 - p):
    dev = mach.device; model.to(dev)
    mats = model.matrices() if mlr else []
    ids = {id(m) for m in mats}
    rest = [p for p in model.parameters() if id(p) not in ids]
    rate, mrate = torch.tensor(lr, device=dev), torch.tensor(mlr or 0.0, device=dev)
    adam = torch.optim.AdamW(rest, lr=rate, betas=(0.9, 0.98), weight_decay=wd, fused=True, capturable=dev.type == "cuda")
    muon = Muon(mats, mrate) if mats else None
    rows = (2 + siblings) * batch
    seen = torch.zeros((rows, OBSERVATION_SIZE), dtype=torch.int8, device=dev); targets = torch.zeros((rows, 4), device=dev); policy = torch.zeros((batch, 72), dtype=torch.float16, device=dev)
    def step():
        adam.zero_grad(set_to_none=True); [setattr(m, "grad", None) for m in mats]
        with torch.autocast(dev.type, torch.bfloat16, enabled=dev.type == "cuda", cache_enabled=False):
            s, r = model(seen)
        ls = -(targets * F.log_softmax(s, 1)).sum(1); p = policy.float()
        pl = -(p.clamp(min=0) * F.log_softmax(r[batch:2*batch].masked_fill(p == NOTHING, -1e4), 1)).sum(1).mean()
        (ls.sum() / batch + pw * pl).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        if muon: muon.step()
        return torch.stack([ls.mean().detach(), pl.detach()])
    run = None; n = 0; mach.wait(); t0 = time.time(); total = None
    prog = 0.0
    while prog < 1:
        l = lessons[torch.randint(len(lessons), (1,)).item()]
        idx = mine[torch.randint(len(mine), (batch,), device=dev)]
        seen[:batch] = l.after[idx]; seen[batch:2*batch] = l.before[idx]; targets[:batch] = l.after_shares[idx]; targets[batch:2*batch] = l.before_shares[idx]; policy.copy_(l.policy[idx])
        if siblings:
            seen[2*batch:] = l.siblings[idx][:, :siblings].flatten(0, 1); targets[2*batch:] = l.siblings_shares[idx][:, :siblings].flatten(0, 1)
        f = fraction(prog) * min(1, (n + 1) / 200)
        rate.fill_(lr * f); mrate.fill_((mlr or 0) * f)
        if run is None:
            run = mach.recorded(step); mach.wait(); t0 = time.time()
        out = run(); n += 1
        if n % 20 == 0:
            mach.wait(); prog = (time.time() - t0) / seconds
    mach.wait()
    return n, n * batch / (time.time() - t0)

if __name__ == "__main__":
    o = json.loads(sys.argv[1])
    T0 = time.time()
    mach = make_machine(o.get("machine", "auto")); gpu = mach.device.type == "cuda"
    WARM = o.get("warm", 8)
    ck = read_checkpoint(Path(o.get("teacher", "training-run/checkpoint.pt")))
    teacher = network_of(ck).to(mach.device)
    sib = o.get("siblings", 3); games = o.get("games", 16384); held_games = o.get("held", games // 32)
    cfg = make_config(ck["config"] | dict(games=games, window=o.get("window", 32), simulations=o.get("sims", 64), siblings=sib))
    lessons = make_lessons(teacher, mach, cfg, o.get("lesson_s", 100), None)
    mine, held = split(lessons, games, held_games)
    tj = Judge(teacher, mach)
    print("teacher alone  KL %.4f after %.5f before %.5f top %.4f" % evaluate(tj, lessons, held, mach), flush=True)
    out = Path(os.environ.get("OUT", "/tmp/labout")); out.mkdir(exist_ok=True, parents=True)
    keep = Path("/dev/shm/lab"); keep.mkdir(exist_ok=True)
    for v in o["variants"]:
        name, expr = v["name"], v["kind"]
        if time.time() - T0 > o.get("limit", 540) - v["seconds"]: print("no time for", name); continue
        try:
            torch.manual_seed(1)
            model = eval(expr)
            if v.get("start"): model.load_state_dict({k: t for k, t in network_of(ck).state_dict().items()})
            n, speed = train(model, lessons, mine, mach, v["seconds"], v.get("batch", o.get("batch", 2048)), v.get("lr", 1e-3), v.get("mlr", 0), v.get("sib", sib))
            j = Soft(model, mach)
            kl = evaluate(j, lessons, held, mach)
            x = lessons[0].before[:games].contiguous(); j.rate(x); mach.wait(); t = time.time()
            for _ in range(10): j.rate(x)
            mach.wait(); ms = (time.time() - t) * 100
            s = match(Both(j), Both(tj), j, 2, o.get("match", 2048), 1 << 42)
            print(f"{name:14} {sum(p.numel() for p in model.parameters())/1e6:5.2f} M {n:6d} steps {speed/1e6:.2f} M/s  KL {kl[0]:.4f} after {kl[1]:.5f} before {kl[2]:.5f} top {kl[3]:.4f}  {ms:.2f} ms  match {100*s.share:.1f} +- {196*s.error:.1f}  [{time.time()-T0:.0f} s]", flush=True)
            torch.save({"kind": expr, "weights": {k: t.half().cpu() for k, t in model.state_dict().items()}}, keep / f"{name}.pt")
            del model, j
        except Exception as e:
            import traceback; traceback.print_exc(limit=3); print(name, "failed", e, flush=True)
