"""Kinds of networks to compare."""
import numpy as np, torch
from torch import nn, Tensor
from torch.nn import functional as F
from splendor.features import OBSERVATION, OBSERVATION_SIZE
from splendor.training.model import input_scale, absent_seats
from splendor.actions import *

def cols(name): 
    dt, off = OBSERVATION.fields[name][:2]
    return np.arange(off, off + dt.itemsize).reshape(dt.shape or (1,))

Z = OBSERVATION_SIZE  # the zero column
ONE = OBSERVATION_SIZE + 1
def card_index():
    rows = []
    o = {n: cols(n) for n in OBSERVATION.names}
    zero = lambda n: [Z]*n
    def onehot(i, n): return [ONE if k == i else Z for k in range(n)]
    for s in range(12):
        rows.append([*onehot(0,5), *onehot(s//4,3), Z, o["market_present"][s], o["market_points"][s], *o["market_bonus"][s], *o["market_cost"][s], *o["market_missing"][s], *o["market_shortfall"][s]])
    for seat in range(4):
        for p in range(3):
            sh = zero(4); sh[seat] = o["reserved_shortfall"][seat,p]
            rows.append([*onehot(1+seat,5), *o["reserved_level"][seat,p], o["reserved_from_deck"][seat,p], Z, o["reserved_points"][seat,p], *o["reserved_bonus"][seat,p], *o["reserved_cost"][seat,p], *(o["reserved_missing"][p] if seat==0 else zero(5)), *sh])
    return torch.tensor(np.array(rows))  # [24, 30]
def noble_index():
    o = {n: cols(n) for n in OBSERVATION.names}
    return torch.tensor(np.array([[o["noble_present"][p], *o["noble_cost"][p], *o["noble_lacking"][p]] for p in range(5)]))
def seat_index():
    o = {n: cols(n) for n in OBSERVATION.names}
    return torch.tensor(np.array([[*[ONE if k==s else Z for k in range(4)], o["turn"][s], o["first"][s], *o["tokens"][s], o["held"][s], *o["bonuses"][s], o["points"][s], o["bought"][s], o["visits"][s]] for s in range(4)]))
def table_index():
    names = ["players","phase","turn","first","last_round","round_number","passes","returns","bank","deck_size","unseen"]
    return torch.tensor(np.concatenate([cols(n).ravel() for n in names]))

def rms(x): return F.rms_norm(x, x.shape[-1:])

class Mlp(nn.Module):
    """Residual blocks; norm: RMS before each; glu: gated."""
    def __init__(s, width=768, blocks=6, norm=False, glu=False, inner=None):
        super().__init__()
        inner = inner or width
        s.norm, s.glu = norm, glu
        s.enter = nn.Linear(Z, width)
        s.inner = nn.ModuleList(nn.Linear(width, inner*(2 if glu else 1)) for _ in range(blocks))
        s.outer = nn.ModuleList(nn.Linear(inner, width, bias=False) for _ in range(blocks))
        s.leave = nn.Linear(width, 76)
        s.register_buffer("scale", input_scale(), persistent=False); s.register_buffer("absent", absent_seats(), persistent=False)
        for l in [s.enter, *s.inner]:
            nn.init.kaiming_normal_(l.weight, nonlinearity="relu"); nn.init.zeros_(l.bias)
        for l in s.outer: nn.init.normal_(l.weight, std=0.1*inner**-0.5)
        nn.init.normal_(s.leave.weight, std=0.1*width**-0.5); nn.init.zeros_(s.leave.bias)
    def matrices(s): return [l.weight for l in [*s.inner, *s.outer]]
    def forward(s, seen):
        h = F.relu(s.enter(seen.to(s.enter.weight.dtype) * s.scale.to(s.enter.weight.dtype)))
        for i, o in zip(s.inner, s.outer):
            x = i(rms(h) if s.norm else h)
            if s.glu:
                a, b = x.chunk(2, 1); x = F.silu(a) * b
            else: x = F.relu(x)
            h = h + o(x)
        out = s.leave(rms(h) if s.norm else h).float()
        return out[:, :4] + seen[:, :3].float() @ s.absent.float(), out[:, 4:]

class Tokens(nn.Module):
    """24 cards, 5 nobles, 4 seats, the table: a small transformer, then the heads where they belong."""
    def __init__(s, d=128, layers=4, heads=4, ff=3, attend=True):
        super().__init__()
        s.d, s.heads, s.attend = d, heads, attend
        for n, f in (("cards", card_index), ("nobles", noble_index), ("seats", seat_index), ("tab", table_index)):
            s.register_buffer(n, f(), persistent=False)
        s.register_buffer("scale", torch.cat([input_scale(), torch.tensor([0., 1.])]), persistent=False)
        s.register_buffer("absent", absent_seats(), persistent=False)
        s.tok = torch.tensor(np.array([[*cols("tokens")[k][:5]] for k in range(4)])); s.bon = torch.tensor(np.array(cols("bonuses")))
        s.register_buffer("tokc", s.tok.reshape(-1), persistent=False); s.register_buffer("bonc", s.bon.reshape(-1), persistent=False)
        s.e_card = nn.Linear(30 + 20, d); s.e_noble = nn.Linear(10, d); s.e_seat = nn.Linear(s.seats.shape[1], d); s.e_tab = nn.Linear(len(s.tab), d)
        s.place = nn.Parameter(torch.zeros(34, d))
        s.qkv = nn.ModuleList(nn.Linear(d, 3*d, bias=False) for _ in range(layers))
        s.mix = nn.ModuleList(nn.Linear(d, d, bias=False) for _ in range(layers))
        s.up = nn.ModuleList(nn.Linear(d, ff*d) for _ in range(layers))
        s.down = nn.ModuleList(nn.Linear(ff*d, d, bias=False) for _ in range(layers))
        s.h_card = nn.Linear(d, 2); s.h_res = nn.Linear(d, 1); s.h_noble = nn.Linear(d, 1); s.h_tab = nn.Linear(d, 30 + 3 + 1 + 6); s.h_seat = nn.Linear(d, 1)
        for l in [s.e_card, s.e_noble, s.e_seat, s.e_tab, *s.up]: nn.init.kaiming_normal_(l.weight, nonlinearity="relu"); nn.init.zeros_(l.bias)
        for l in s.qkv: nn.init.normal_(l.weight, std=d**-0.5)
        for l in [*s.mix, *s.down]: nn.init.normal_(l.weight, std=0.1*d**-0.5)
        for l in [s.h_card, s.h_res, s.h_noble, s.h_tab, s.h_seat]: nn.init.normal_(l.weight, std=0.1*d**-0.5); nn.init.zeros_(l.bias)
    def matrices(s): return [l.weight for l in [*s.qkv, *s.mix, *s.up, *s.down]]
    def forward(s, seen):
        t = s.e_card.weight.dtype; n = len(seen)
        x = F.pad(seen.to(t), (0, 2), value=1.0)
        raw = x
        x = x * s.scale.to(t)
        cards = x[:, s.cards.view(-1)].view(n, 24, 30)
        cost = raw[:, s.cards[:, 16:21].reshape(-1)].view(n, 24, 1, 5)
        has = (raw[:, s.tokc] + raw[:, s.bonc]).view(n, 1, 4, 5)
        missing = (F.relu(cost - has) * 0.25).view(n, 24, 20)
        h = torch.cat([s.e_card(torch.cat([cards, missing], 2)), s.e_noble(x[:, s.nobles.view(-1)].view(n, 5, 10)), s.e_seat(x[:, s.seats.view(-1)].view(n, 4, s.seats.shape[1])), s.e_tab(x[:, s.tab]).unsqueeze(1)], 1)
        h = F.relu(h) + s.place.to(h.dtype)
        for qkv, mix, up, down in zip(s.qkv, s.mix, s.up, s.down):
            if s.attend:
                q, k, v = qkv(rms(h)).view(n, 34, 3, s.heads, s.d // s.heads).permute(2, 0, 3, 1, 4)
                a = F.scaled_dot_product_attention(q, k, v)
                h = h + mix(a.transpose(1, 2).reshape(n, 34, s.d))
            h = h + down(F.relu(up(rms(h))))
        h = rms(h)
        c = s.h_card(h[:, :12]); tab = s.h_tab(h[:, 33])
        out = torch.cat([tab[:, :30], c[:, :, 0], tab[:, 30:33], c[:, :, 1], s.h_res(h[:, 12:15])[:, :, 0], tab[:, 33:34], tab[:, 34:40], s.h_noble(h[:, 24:29])[:, :, 0]], 1).float()
        return s.h_seat(h[:, 29:33])[:, :, 0].float() + seen[:, :3].float() @ s.absent.float(), out

class Star(nn.Module):
    """Cards talk to a wide trunk and back; no attention. rounds of: cards hear the trunk, trunk hears all cards."""
    def __init__(s, width=768, d=64, rounds=3, per=1):
        super().__init__()
        s.d, s.per = d, per
        for n, f in (("cards", card_index),):
            s.register_buffer(n, f(), persistent=False)
        s.register_buffer("scale", torch.cat([input_scale(), torch.tensor([0., 1.])]), persistent=False)
        s.register_buffer("absent", absent_seats(), persistent=False)
        s.register_buffer("tokc", torch.tensor(np.array([[*cols("tokens")[k][:5]] for k in range(4)])).reshape(-1), persistent=False); s.register_buffer("bonc", torch.tensor(np.array(cols("bonuses"))).reshape(-1), persistent=False)
        s.e_card = nn.Linear(50, d); s.enter = nn.Linear(Z, width)
        s.tell = nn.ModuleList(nn.Linear(width, 2*d) for _ in range(rounds))   # trunk to cards: shift and gate
        s.c_up = nn.ModuleList(nn.Linear(d, 2*d) for _ in range(rounds)); s.c_down = nn.ModuleList(nn.Linear(2*d, d, bias=False) for _ in range(rounds))
        s.hear = nn.ModuleList(nn.Linear(24*d, width, bias=False) for _ in range(rounds))
        s.inner = nn.ModuleList(nn.Linear(width, width) for _ in range(rounds*per)); s.outer = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(rounds*per))
        s.leave = nn.Linear(width, 76); s.h_card = nn.Linear(d, 2); s.h_res = nn.Linear(d, 1)
        for l in [s.e_card, s.enter, *s.c_up, *s.inner]: nn.init.kaiming_normal_(l.weight, nonlinearity="relu"); nn.init.zeros_(l.bias)
        for l in [*s.outer, *s.c_down, *s.hear, *s.tell, s.leave, s.h_card, s.h_res]: nn.init.normal_(l.weight, std=0.1*l.weight.shape[1]**-0.5)
    def matrices(s): return [l.weight for l in [*s.tell, *s.c_up, *s.c_down, *s.hear, *s.inner, *s.outer]]
    def forward(s, seen):
        t = s.e_card.weight.dtype; n = len(seen)
        raw = F.pad(seen.to(t), (0, 2), value=1.0)
        x = raw * s.scale.to(t)
        cards = x[:, s.cards.view(-1)].view(n, 24, 30)
        cost = raw[:, s.cards[:, 16:21].reshape(-1)].view(n, 24, 1, 5)
        has = (raw[:, s.tokc] + raw[:, s.bonc]).view(n, 1, 4, 5)
        missing = (F.relu(cost - has) * 0.25).view(n, 24, 20)
        c = F.relu(s.e_card(torch.cat([cards, missing], 2)))
        h = F.relu(s.enter(x[:, :Z]))
        for r in range(len(s.tell)):
            h = h + s.hear[r](rms(c).flatten(1))
            for b in range(r*s.per, (r+1)*s.per): h = h + s.outer[b](F.relu(s.inner[b](rms(h))))
            shift, gate = s.tell[r](rms(h)).unsqueeze(1).chunk(2, 2)
            c = c + s.c_down[r](F.relu(s.c_up[r](rms(c) * (1 + gate) + shift)))
        h = rms(h); c = rms(c)
        out = s.leave(h).float(); p = out[:, 4:]
        hc = s.h_card(c[:, :12]).float(); hr = s.h_res(c[:, 12:15]).float()[:, :, 0]
        p = p + torch.cat([torch.zeros_like(p[:, :30]), hc[:, :, 0], torch.zeros_like(p[:, 42:45]), hc[:, :, 1], hr, torch.zeros_like(p[:, 60:])], 1)
        return out[:, :4] + seen[:, :3].float() @ s.absent.float(), p
