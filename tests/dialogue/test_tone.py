"""What somebody tells is grave, heavy, bright or plain, whether or not a mood is named."""

from __future__ import annotations

import pytest

from siliconfriend.dialogue.tone import Tone, tone_of

TOLD: dict[Tone, str] = {
    "weary": """
I'm so tired today
can't sleep
I am exhausted
今天好累
睡不着
im knackered
Work is grinding me down at the moment
up since 4 with the twins
Knees aching, back aching, head aching. Old age.
it's all getting a bit much
My brain is mush
cant keep my eyes open
haven't had a day off in three weeks
I don't even have the energy to argue with him
sooo tired
电量耗尽
腰快断了
只睡了两小时
眼皮在打架
三个礼拜没休过假了
又一个九九六的礼拜
脑子像浆糊
一堆事，一点劲儿都没有
another all nighter
my arms are jelly
not a minute to myself since monday
又通宵了
哈欠连天
两条腿像灌了铅
    """,
    "grave": """
My uncle passed away last night.
Mum has been diagnosed with cancer.
We lost the baby.
Joost and I broke up.
My husband is cheating on me.
I got fired on Friday.
They laid off our whole team.
Dad had a stroke.
My grandmother is dying.
We had to have our dog put down.
My wife wants a divorce.
I was made redundant after twenty years.
He hit me again last night.
She had a miscarriage.
We buried him on Tuesday.
My best friend is in intensive care.
I've lost my job.
We are being evicted.
My brother is in a coma.
The funeral is on Monday.
She left me for her boss.
My neighbour's husband has died
Grandpa had a heart attack yesterday
We split up after nine years
The vet put our cat to sleep this morning
I was sacked without notice
My aunt has dementia now
He beats me when he drinks
My friend drowned last summer
My parents are divorcing
The firm went bankrupt
外公昨天去世了
妈妈确诊了肺癌
我跟小周分手了
老公出轨了
我被裁了
公司把我开除了
爸爸中风了
我家狗狗昨晚死了
奶奶走了。
他又动手家暴我
孩子没保住，流产了
爷爷进了重症监护室
我失业三个月了
我在印刷厂的工作丢了
他要跟我离婚
我的猫没了
外婆病危
下周一是姨妈的追悼会
舅舅心梗没抢救过来
工作丢了
老爸得了白血病
我发现他劈腿
姑姑昨晚过世了
我和老陈离了婚
妈妈得了老年痴呆
我同桌自杀了
养了十二年的狗走了
他出轨被我发现了
厂里倒闭，我下岗了
爸爸脑出血，在抢救
we lost a boy tonight. he was six.
lost a patient on my shift
my grandad passed on tuesday
We had to let Biscuit go this morning
There's no heartbeat.
my best mate took his own life
couldn't save him
Mum doesn't know who I am any more
They took my daughter. Social services came at seven.
they're closing the plant
landlord wants us out by friday
He's moved his things out while I was at work
今晚没抢救过来
医生说没有胎心了
他走了一年了，我吃饭还是摆两双筷子
阿嬷住进安宁病房了
孩子判给他了
厂子要关了，三百多人
妈妈已经不认得我了
他把东西都搬走了
our oldest sheepdog didn't wake up this morning
Wedding's off.
my contract isn't being renewed
四床的老先生夜里走了
医生让我们准备后事
    """,
    "heavy": """
work was awful, my boss shouted at me in front of everyone
I think Joost is seeing someone else
My sister isn't speaking to me
I failed my driving test again
I didn't get the job
They laughed at me when I read it out
Nobody came to my birthday
He never calls me back
I can't pay the rent this month
I miss home so much
My son is being bullied at school
Mum is in hospital
My landlord threatened me
She lied to me for months
We had a huge fight last night
My phone was stolen on the tram
No one talks to me at the new school
I feel like a failure
I have nobody to talk to
They turned me down
My boyfriend ignores me
I'm in debt up to my ears
My daughter broke her arm
Today was horrible
My manager humiliated me in the meeting
My thesis was rejected
I was left out again
I can't stop crying
I messed everything up
Dad is really ill
I'm so homesick
My friends went without me, I wasn't invited
My best friend betrayed me
I hate my job
The doctor found a lump
My teacher told me off in front of the class
My flatmate never speaks to me
They all went out without inviting me
I wasn't picked for the team
My husband hasn't come home for two days
Someone spread rumours about me at school
I got a terrible mark in chemistry
The bank refused our loan
My daughter won't talk to me
We are two months behind on the rent
My coach said I was useless
I think he doesn't love me any more
I had a row with my mother
My knee is killing me
My son has a high fever
I spent Christmas on my own
My colleagues mock my accent
I feel so alone in this city
I've been coughing blood
Our house was flooded
My ex is getting married and it hurts
My application was turned down
I was overlooked for the promotion again
My mother criticises everything I do
I'm falling behind with everything
He forgot our anniversary
I had a panic attack on the train
Nobody at work asked how I was
I've been crying all day
My visa was refused
They made me cry
I'm ashamed of what I said
今天被主管当着大家的面骂了一顿
我感觉小周有别人了
驾照考试又没过
面试被刷了
室友都孤立我
没人记得我的生日
他已经三天不回我消息了
这个月房租都交不起了
好想家
儿子在学校被欺负了
妈妈住院了
她骗了我好几个月
昨晚跟老公大吵了一架
我电动车被偷了
身边没人说话
我觉得自己一无是处
同事们都在背后说我坏话
这次期末考砸了
我爸又发高烧了
女儿摔断了胳膊
欠了银行一大笔钱
老板说我没用
一个人过年，冷冷清清
我被最好的朋友背叛了
闺蜜跟我绝交了
最近日子真难熬
连着加班到凌晨，撑不住了
我把事情搞砸了
他对我冷暴力
婆婆嫌弃我
客户当众羞辱我
想妈妈了
我好想他
我的方案被否了，心里堵得慌
领导又批评我了
老师当着全班批评我
室友从来不跟我讲话
他们聚餐没叫我
我没选上班长
老公两天没回家了
有人在班里传我的谣言
化学考了三十分
贷款没批下来
女儿不肯跟我说话
教练说我没前途
感觉他不爱我了
跟我妈吵翻了
膝盖疼得厉害
儿子烧到三十九度
除夕就我一个人
同事学我口音取笑我
在这座城市好孤独
家里被水淹了
前任要结婚了，心里不是滋味
申请又被拒了
升职又没轮到我
我妈什么都要挑剔我
纪念日他忘得一干二净
在地铁上惊恐发作
没人问我累不累
哭了一整天
签证没下来
妹妹跟家里闹翻了
我被房东赶出来了
投资亏了一大笔
项目被砍了，半年白干
I don't want to talk about it
i dont see the point in anything lately
I don't think I can do this any more
can't stop thinking about the accident
i owe 23 grand on cards
third round of ivf failed
Ellie has stopped eating
The biopsy came back and it isn't good
我怕自己当不好爸爸
不想谈这个
我老觉得是我害的
最近觉得活着没什么意思
戒了两年的酒，昨晚又喝了
活检结果出来了，不好
一直忘不了河里那个男孩
我的小说被退了稿，心里难受
my sister and i havent spoken since the will was read
they've cut my hours to eight a week
she's blocked me everywhere
it's the first christmas without him
my husband's drinking again
I've been written off sick again
i've been so low lately
煤气又被停了
她把我所有方式都屏蔽了
我老公又开始喝了
假装很忙，其实周末没有人约我
    """,
    "bright": """
SHE GOT IN! Edinburgh!
met someone, she builds violins
finished A2 in Portuguese
the doctor discharged me
my knee held up fine
I got the job!
I got an interview at the museum
I passed my driving test
My teacher praised me
Joost is visiting this weekend
I finally finished my thesis
pottery was great, I made a lopsided bowl
She said yes!
My boss said my talk was brilliant
We won the cup
My sister is pregnant
I got promoted
Mum is out of hospital
The tumour is benign
I'm not sad any more
We made up last night
My parents came to visit me
I handed in my novel
We had a lovely evening by the lake
The soup turned out delicious
I've never been happier
I got into the choir
It isn't cancer after all
My nephew was born this morning
They thanked me for everything
I loved every minute of it
I start my new job on Monday and I'm over the moon
They offered me the position
My daughter took her first steps
My brother is coming over for dinner
The doctor says I'm healthy again
I ran my first marathon
My story got published
Dad said he is proud of me
I got full marks in maths
Our team came first
We got engaged at the lake
I finally repaired the clock
What a lovely day it was
The audience applauded for minutes
We paid off the mortgage
My old friend visited me after ten years
I aced the interview
She kissed me!
My garden is in full bloom, it's beautiful
The party was a success
My boss didn't shout at me, he praised me
我拿到offer了！
我拿到博物馆的面试了
博物馆录取我了
驾照考过了
老师夸我了
小周这周末来看我
论文终于写完了
陶艺课挺好玩的
她答应我了
我们队拿了冠军
姐姐怀孕了
我升职了
妈妈出院了
肿瘤是良性的
不难过了
我们和好了
爸妈来宁波看我了
小说交稿了，大功告成
今天吃到了特别好吃的面
侄子今天早上出生了
我被录取了
手术很成功
天一阁晚上亮灯了真好看
面试通过了
领导当众表扬了我
今天玩得很尽兴
朋友送了我一盆花
猫找回来了
我下周一就去新公司上班了，太激动了
他们给我发offer了
女儿会走路了
弟弟要来家里吃饭
医生说我全好了
跑完人生第一个马拉松
我的文章发表了
爸爸说他为我骄傲
数学考了满分
我们在湖边订婚了
老同学十年后来看我
房贷还清了
她亲了我一下
演出特别成功
钟终于修好了
今天过得真开心
客户夸我方案做得好
爷爷康复回家了
我瘦了十斤！
妹妹考上大学了
我没被裁，还升职了
不是癌症，虚惊一场
Amara's pregnant!!!
Leila is expecting
I've met someone
i'm going to be a grandad
the scan was clear!
got my green card today
one year sober today
my brother rang me, first time in six years
the dog came back!!
we made up, me and Jess
we adopted a puppy
Dad laughed for the first time since the stroke
媳妇有喜了
我要当外公了
母子平安
升护士长了
医生说癌细胞没有了
复查结果没事！
他牵我的手了
嘴角一直放不下来
我哥打电话来了，六年来头一回
终于修好了
I ran my first marathon, my legs ache
跑完人生第一个马拉松，腿好酸
it's twins!!
I'm 38 weeks pregnant
they renewed my contract!
heard the heartbeat today, strong as a drum
our offer was accepted
I got an A in chemistry
公司跟我续约了
外甥手术平安
她回我消息了！！
是双胞胎！！
    """,
    "plain": """
she got in late
met someone from the council about the bins
膝盖一点没疼
食堂的馄饨没有家里的好吃
这家不如上次那家好吃
The boiler died on the coldest night.
My phone has just died.
手机死机了。
my tea got cold
My mug broke
I missed the bus this morning
My phone died
I'm dying for a coffee
I keep burning my rice
not bad at all
The weather is nothing special
It's raining again
I bought paint for the kitchen
There is so much clay under my nails
My pen ran out
The lamp is broken
Nobody shouted at me today
I wasn't fired
My boss didn't shout this time
The car broke down
I spilled some milk
The wifi is slow
I put the kids to sleep
I am not worried about it
I work at the hospital kitchen
The bus was late
I had toast for breakfast
We moved the sofa
There was a row of tulips
I broke up the chocolate for the cake
I lost a sock
The milk has gone off
My bread didn't rise
I can't find a parking spot
The printer is jammed
I forgot my umbrella
My hair looks odd today
It's too hot
The neighbours are drilling again
I have a meeting at ten
Dinner is at seven
I stubbed my toe
I'm going to the dentist on Friday
The soup was too salty
My laptop is slow
I dropped an egg
The train was full
I had to wait twenty minutes
I need new shoes
She didn't yell at us this time
There's no sugar left
I am not ill, just lazy
We never quarrel
I was not rejected
I fell asleep on the sofa
It's no tragedy that the cake sank
I beat him at chess
I don't want to hurt anyone, just saying hi
We split the bill
I didn't fail the exam
It was a hard choice between two cakes
我的茶凉了
我的杯子摔碎了
早上没赶上公交
手机没电了
指甲缝里全是泥
我煮饭老是糊
又下雨了
牛奶过期了
笔没水了
网速好慢
今天没人骂我
主管今天没骂我
没被裁
我不担心这件事
我在医院上班
公交晚点了
早饭吃了馒头
我们把沙发挪了
把巧克力掰碎了
丢了一只袜子
我姐姐喜欢喝茶
外卖送错了
电脑死机了
雨伞忘在公司了
今天理了个发
他给我打了电话
电视剧里男主被骂了
楼上装修很吵
面包没发起来
找不到停车位
打印机卡纸了
忘带伞了
今天太热了
邻居又在装修
十点开会
七点吃晚饭
汤太咸了
电脑有点卡
打碎了一个鸡蛋
地铁挤死了
排队等了二十分钟
该买双新鞋了
糖用完了
我们从不吵架
我没生病，就是懒
申请没被拒
在沙发上睡着了
菜有点凉
快递晚了一天
头发剪短了
周五去看牙
他没骂我
菜被我炒糊了
他没出轨，是我多想了
面试没挂
今天没吵架
我不想家
让他先走了
I killed it on stage last night
this traffic is going to be the death of me
i could murder a curry
that joke fell flat, i died a little inside
he's dead set on a camper van
we're watching that film where the dog dies
My grandfather died before i was born
an actor died today, i forget his name
My sister is a cancer nurse
He works at a funeral home
She's reading a book about grief for her course
I've lost my dad's signet ring
We buried the time capsule under the oak
I was fired up for the match
he's expecting a parcel
I'm not pregnant if that's what you're asking
no one's ever lonely in a house with six cats
crying baby on the train
Lena texted me today
在看一部狗死掉的电影
堵车堵死了
书里那个母亲打仗没了儿子
我爷爷在我出生前就没了
我姐是肿瘤科的护士
家里六只猫，谁会寂寞
今天有个演员过世了，忘了叫什么
谁说我怀孕了
昨晚我们乐队炸翻全场
我没怀孕啦，别乱猜
我最近看了一部电影叫《当幸福来敲门》，讲一个失业的父亲
他帅到没朋友
my dog pooped on the floor
the glass shattered on the ground
This traffic is ridiculous
I like this cheese in particular
he beat five guys in a row
he scored two weeks in a row
we set a date for the meeting
she rang the bell twice
he picked me up from the station
the server is down
she was born in 1950
停电了，点着蜡烛吃的饭
前台请了病假
I'm dead lol
I had to let the dough rest and then let it go
I can't do this puzzle
我昨天生了个火
欠小王两百块
    """,
}


@pytest.mark.parametrize(
    ("words", "tone"),
    [(words, tone) for tone, lines in TOLD.items() for words in lines.strip().splitlines()],
)
def test_what_is_told_has_a_tone(words: str, tone: Tone) -> None:
    """Shouting is heavy and the job bright without a word of mood; cold tea is plain, and so is what is denied."""
    assert tone_of(words) == tone
