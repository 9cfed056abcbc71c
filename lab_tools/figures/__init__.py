"""Figures: an analysis value in, a plotly figure out; all share the look of `look`.

``profile`` ``concavity`` ``estimates`` ``models`` ``utilisation`` throughput over RTT;
``mathis`` loss; ``traces`` ``windows`` a run over time; ``maps`` ``exponents`` ``noise`` its
dynamics; ``fairness`` ``queues`` shares and delay; ``payoff`` games; ``network`` topologies;
``calendar`` reservations; ``control`` ``duality`` ``loop`` congestion control; ``pipeline``
transfers; ``export`` pictures; ``look`` ``draw`` ``checks`` serve the others.
"""
