// The dumbbell of the benchmark in ns-3: h1 - r1 - r2 - h2, one bottleneck, bulk TCP transfers.
//
//   dumbbell RATE_BPS RTT_S MTU_BYTES STREAMS SECONDS OMIT_S TCP_TYPE
//
// Prints one line of JSON: goodput after OMIT_S in bit/s, data packets sent, and drops at the
// bottleneck. Everything that the virtual testbed has is set alike: a queue of one BDP at the
// bottleneck's sender, the delay split over both directions, selective acknowledgements, window
// scaling, buffers of four BDPs, ten segments as initial window, an acknowledgement for every two segments.

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace ns3;

static uint64_t g_segments = 0;
static uint64_t g_drops = 0;

static void
Sent(Ptr<const Packet> packet)
{
    g_segments += packet->GetSize() > 500 ? 1 : 0;
}

static void
Dropped(Ptr<const Packet>)
{
    ++g_drops;
}

int
main(int argc, char* argv[])
{
    if (argc != 8)
    {
        std::fprintf(stderr, "dumbbell RATE_BPS RTT_S MTU STREAMS SECONDS OMIT_S TCP_TYPE\n");
        return 2;
    }
    const double rate = std::atof(argv[1]);
    const double rtt = std::atof(argv[2]);
    const uint32_t mtu = std::atoi(argv[3]);
    const uint32_t streams = std::atoi(argv[4]);
    const double seconds = std::atof(argv[5]);
    const double omit = std::atof(argv[6]);
    const std::string type = argv[7];

    const double bdp = rate * rtt / 8;
    const uint32_t buffer = std::max(4 * bdp, 4e6);
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", TypeIdValue(TypeId::LookupByName(type)));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(mtu - 52));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(buffer));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(buffer));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200)));

    NodeContainer nodes;
    nodes.Create(4);
    InternetStackHelper().Install(nodes);

    PointToPointHelper access;
    access.SetDeviceAttribute("DataRate", DataRateValue(DataRate(uint64_t(10 * rate))));
    access.SetDeviceAttribute("Mtu", UintegerValue(mtu));
    access.SetChannelAttribute("Delay", TimeValue(NanoSeconds(100)));
    access.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("1000000p"));

    PointToPointHelper middle;
    const uint32_t queue = std::max<uint32_t>(2, bdp / (mtu + 14));
    middle.SetDeviceAttribute("DataRate", DataRateValue(DataRate(uint64_t(rate))));
    middle.SetDeviceAttribute("Mtu", UintegerValue(mtu));
    middle.SetChannelAttribute("Delay", TimeValue(Seconds(rtt / 2)));
    middle.SetQueue("ns3::DropTailQueue<Packet>",
                    "MaxSize",
                    StringValue(std::to_string(queue) + "p"));

    const NetDeviceContainer first = access.Install(nodes.Get(0), nodes.Get(1));
    const NetDeviceContainer path = middle.Install(nodes.Get(1), nodes.Get(2));
    const NetDeviceContainer last = access.Install(nodes.Get(2), nodes.Get(3));

    Ipv4AddressHelper address;
    address.SetBase("10.0.1.0", "255.255.255.0");
    Ipv4InterfaceContainer interfaces = address.Assign(first);
    address.SetBase("10.0.2.0", "255.255.255.0");
    address.Assign(path);
    address.SetBase("10.0.3.0", "255.255.255.0");
    interfaces = address.Assign(last);
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    path.Get(0)->TraceConnectWithoutContext("PhyTxEnd", MakeCallback(&Sent));
    DynamicCast<PointToPointNetDevice>(path.Get(0))->GetQueue()->TraceConnectWithoutContext(
        "Drop",
        MakeCallback(&Dropped));

    ApplicationContainer sinks;
    for (uint32_t n = 0; n < streams; ++n)
    {
        const InetSocketAddress target(interfaces.GetAddress(1), 5000 + n);
        PacketSinkHelper sink("ns3::TcpSocketFactory", target);
        sinks.Add(sink.Install(nodes.Get(3)));
        BulkSendHelper source("ns3::TcpSocketFactory", target);
        source.SetAttribute("MaxBytes", UintegerValue(0));
        source.SetAttribute("SendSize", UintegerValue(64000));
        source.Install(nodes.Get(0)).Start(Seconds(0));
    }

    uint64_t before = 0;
    auto received = [&sinks]() {
        uint64_t sum = 0;
        for (uint32_t n = 0; n < sinks.GetN(); ++n)
        {
            sum += DynamicCast<PacketSink>(sinks.Get(n))->GetTotalRx();
        }
        return sum;
    };
    Simulator::Schedule(Seconds(omit), [&]() { before = received(); });
    Simulator::Stop(Seconds(seconds));
    Simulator::Run();
    const double goodput = 8.0 * (received() - before) / (seconds - omit);
    std::printf("{\"goodput_bps\": %.0f, \"packets\": %llu, \"drops\": %llu}\n",
                goodput,
                static_cast<unsigned long long>(g_segments),
                static_cast<unsigned long long>(g_drops));
    Simulator::Destroy();
    return 0;
}
